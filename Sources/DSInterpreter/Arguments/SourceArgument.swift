package import DataSources
import DataTables

/// A source: a name, a command in parentheses, the source that `|` passed, or, at the prompt, the
/// source used last.
package struct SourceArgument {
  private enum Form {
    case argument(Argument)
    case lastUsed
  }
  private let form: Form
  private let stage: Stage
  let span: Span

  /// Takes the next argument if it can be a source; otherwise refers to the source used last.
  init(parsing arguments: inout Arguments, _ parameter: Parameter = .source) throws {
    stage = arguments.stage
    if let next = arguments.peek(.source), next.canBeSource {
      _ = try arguments.take(parameter)
      form = .argument(next)
      span = next.span
    } else {
      form = .lastUsed
      span = arguments.stage.verb.span
      arguments.lacksSource = true
    }
  }

  /// Takes all arguments that can be sources.
  static func all(
    parsing arguments: inout Arguments, _ parameter: Parameter
  ) throws -> [SourceArgument] {
    var all: [SourceArgument] = []
    while let next = arguments.peek(.source), next.canBeSource {
      all.append(try SourceArgument(parsing: &arguments, parameter))
    }
    return all
  }

  func source(in session: inout Session) async throws -> any DataSource {
    let source: any DataSource
    switch form {
    case .argument(let argument):
      source = try await Self.source(argument, in: &session)
    case .lastUsed:
      guard session.options.isInteractive, let last = session.lastSource else {
        let lastUsed = session.lastSource.flatMap { session.boundName(of: $0) }
        throw stage.missingSource(lastUsed: lastUsed)
      }
      source = last
      if let name = session.boundName(of: last) {
        session.execution.replace(span, by: .source(name))
      }
    }
    session.lastSource = source
    try await session.showTransaction(in: source)
    return source
  }

  /// The source that an argument names.
  package static func source(
    _ argument: Argument, in session: inout Session
  ) async throws -> any DataSource {
    let operand: Operand
    switch argument.form {
    case .piped(let piped): operand = piped
    case .atom(let atom):
      switch atom.kind {
      case .word(let name): operand = try await session.source(named: name, at: argument.span)
      case .parenthesized(let pipe): operand = try await session.evaluateInParentheses(pipe)
      default: operand = .none
      }
    }
    if case .source(let source) = operand { return source }
    if case .piped = argument.form {
      throw argument.error(
        .badArgument, "\(argument.span.text) needs a source, but `|` passes \(operand.phrase)")
    }
    throw argument.error(.badArgument, "`\(argument.span.text)` is not a source")
  }
}

extension Stage {
  /// The error of a verb without a source in a script.
  ///
  /// - Parameter lastUsed: the name of the source used last, which may be meant.
  func missingSource(lastUsed: String?) -> Diagnostic {
    var mistake = missing(ArgumentType.source.phrase)
    if let lastUsed { mistake.message += "; the source used last is `\(lastUsed)`" }
    return mistake
  }
}

extension Argument {
  /// The source that the argument names, the result of a command, or else the value.
  func operand(in session: inout Session) async throws -> Operand {
    if case .atom(let atom) = form {
      switch atom.kind {
      case .word(let name) where session.isSource(name):
        return try await session.source(named: name, at: span)
      case .parenthesized(let pipe): return try await session.evaluateInParentheses(pipe)
      default: break
      }
    }
    return .value(try await value(in: &session))
  }
}

extension Session {
  /// Whether a word is the name of a source or of a table.
  func isSource(_ word: String) -> Bool {
    let name = Self.name(of: word)
    let operand = name == "_" ? last : names[name]
    if case .source? = operand { return true }
    return operand == nil && isTablePath(name)
  }

  /// The name in a word, `$` before it or not.
  static func name(of word: String) -> String {
    let name = word.hasPrefix("$") ? String(word.dropFirst()) : word
    return Name.isValid(name) ? name : word
  }
}

extension Operand {
  fileprivate var phrase: String {
    switch self {
    case .none: "nothing"
    case .value(let value): value.type.phrase
    case .source: "a source"
    case .database: "a database"
    case .objects: "a list of objects"
    }
  }
}

extension Argument {
  fileprivate var canBeSource: Bool {
    guard case .atom(let atom) = form else { return true }
    switch atom.kind {
    case .parenthesized: return true
    // Numbers and dates are values, as in `indexPath 2` at the prompt.
    case .word(let text): return Value(literal: text).type == .string
    default: return false
    }
  }
}

extension Session {
  /// - Throws: ``Diagnostic`` of kind `unknownName`, or of kind `badArgument` if the space between
  ///   the name and an index path is missing.
  fileprivate func source(named word: String, at span: Span) async throws -> Operand {
    let name = Self.name(of: word)
    if let (database, path) = try tablePath(name) {
      let (source, words) = try await table(path, of: database, at: span)
      guard words == path.count else {
        throw Diagnostic(
          .badArgument, "`\(name)` has more words than a schema and a table", at: span)
      }
      return .source(source)
    }
    if name == "_" || names[name] != nil {
      return try operand(named: name, at: span)
    }
    if let bracket = name.firstIndex(of: "["), names[String(name[..<bracket])] != nil {
      throw Diagnostic(
        .badArgument,
        "put a space before the index path: `\(name[..<bracket]) \(name[bracket...])`", at: span)
    }
    throw unknownName(name, use: .source, at: span)
  }
}
