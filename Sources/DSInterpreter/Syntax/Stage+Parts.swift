// The parts of commands, for checks that run nothing.
extension Stage {
  /// The arguments by position: the texts of words and quoted strings, nil for other arguments.
  var literals: [String?] { atoms.map(\.literal) }

  /// The commands in parentheses, at any depth of its arguments, without those in its blocks.
  var commandsInParentheses: [Pipe] {
    var pipes: [Pipe] = []
    var expressions = [expression].compactMap { $0 } + branches.map(\.condition)
    var open = atoms + (definition?.defaults ?? [])
    for label in labels {
      switch label.content {
      case .groups(let groups): open += groups.joined()
      case .predicate(let predicate): expressions.append(predicate)
      }
    }
    switch check {
    case .holds(let expression)?: expressions.append(expression)
    case .objects(let check)?:
      open += [check.source] + [check.place].compactMap { $0 }
      if case .predicate(let predicate, _) = check.condition { expressions.append(predicate) }
    case .throws?, nil: break
    }
    while let atom = open.popLast() {
      switch atom.kind {
      case .parenthesized(let pipe): pipes.append(pipe)
      case .list(let atoms): open += atoms
      case .record(let pairs): open += pairs.map(\.value)
      case .interpolated(let interpolation): expressions += interpolation.expressions
      case .word, .quoted, .environment: break
      }
    }
    return pipes + expressions.flatMap(\.commands)
  }
}

extension Atom {
  /// The text of a word or of a quoted string; nil for a value that is known when the line runs.
  var literal: String? {
    switch kind {
    case .word(let text): variable == nil ? text : nil
    case .quoted(let text): text
    default: nil
    }
  }
}
