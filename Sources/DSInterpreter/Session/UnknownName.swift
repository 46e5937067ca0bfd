import DataTables

/// A name that nothing is bound to.
struct UnknownName {
  /// The place of the name, which determines the message and the names to suggest.
  enum Use {
    /// Where a source is expected.
    case source
    /// Where an open database is expected.
    case database
    /// In an expression, where a string would need quotes.
    case value
    /// Where only the name of something can be.
    case bound
    /// Alone on a line, where it may also be meant as a command.
    case line

    /// Whether a name of this kind can be meant.
    func accepts(_ kind: BoundKind) -> Bool {
      switch self {
      case .source: kind == .source || kind == .any
      case .database: kind == .database || kind == .any
      case .value, .bound, .line: true
      }
    }
  }
  let name: String
  let use: Use
  let span: Span

  /// - Parameters:
  ///   - known: the bound names of the kind that the use expects.
  ///   - commands: the commands of the session; the name may be meant as one.
  func error(known: [String], commands: CommandTable) -> Diagnostic {
    let isLine = use == .line
    if isLine, let advice = ForeignVerb.advice(for: name, source: nil) {
      return Diagnostic(.unknownName, "no command or name `\(name)`; \(advice)", at: span)
    }
    let near = Suggestion.nearest(to: name, among: isLine ? commands.names + known : known)
    let message =
      switch use {
      case .value where near == nil && commands.signature(named: name)?.parameters.isEmpty == true:
        "nothing is named `\(name)`, which is a command; `let value = \(name)` binds its value"
      case .value where near == nil && commands.synopsis(of: name) != nil:
        "nothing is named `\(name)`, which is a command; in an expression, write it in parentheses "
          + "with its arguments: `(\(commands.synopsis(of: name) ?? name))`"
      case .source: "no source named `\(name)`"
      case .database: "no database named `\(name)`"
      case .line: "no command or name `\(name)`"
      case .value where near == nil && name != "_":
        "nothing is named `\(name)`; write `\(Value.string(name).json)` to mean the string"
      case .value, .bound: "nothing is named `\(name)`"
      }
    return Diagnostic(.unknownName, message, suggestion: near, at: span)
  }
}
