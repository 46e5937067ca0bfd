extension CompletionFrame {
  /// The beginning of the frame.
  enum Opening: Equatable {
    case line
    case block
    /// A parenthesis around a command or an expression.
    case parenthesis
    /// The parenthesis after the name of a function.
    case call
    /// `\(` in a string.
    case insertion
    case list
    /// The bracket after an operand, whose text is known for a name or a key path: `letters[`.
    case index(of: String?)
    /// The bracket after an operator: `BEGINSWITH[`.
    case options
    case record
  }

  /// The part of the frame that follows.
  enum Phase {
    /// A verb, a name or an expression.
    case head
    /// The name after `let`, and the `=` after it.
    case newName, equals
    /// The name and the `in` after `for`.
    case loopName, loopKeyword
    /// The name after `def`, and its parameters.
    case definitionName, parameters
    case arguments, expression
    /// After the block of a command; after a line end behind the block of a condition, where `else`
    /// or the next line follows; after `else`.
    case end, nextLine, alternative
    /// The key of a record; its value, or an element of a list, follows in ``expression`` or
    /// ``arguments``.
    case recordKey
  }

  /// A name that is visible in the block of a command.
  struct LocalName: Equatable {
    let name: String
    /// The source whose objects are the values of the name; nil for other values.
    var source: String?
  }
}
