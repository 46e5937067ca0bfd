import DataSources
import DataTables

/// `reload SOURCE [SECTION, ROW]`
struct ReloadCommand: Command {
  static let names = ["reload"]
  static let parameters = [Parameter.source, .indexPath]
  static let summary = "Reports that an object must be shown in a new cell; no data change."
  static let examples = ["reload letters [1, 0]; diff letters"]
  static let seeAlso = ["reconfigure", "update", "fetch", "watch", "diff", "changes"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument
  private let path: IndexPathArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    path = IndexPathArgument(try arguments.require(.indexPath))
  }

  func run(in session: inout Session) async throws -> CommandResult {
    try await session.refresh(.reload, source, path)
  }
}

/// `reconfigure SOURCE [SECTION, ROW]`
struct ReconfigureCommand: Command {
  static let names = ["reconfigure"]
  static let parameters = [Parameter.source, .indexPath]
  static let summary = "Reports that an object must be shown again in its cell; no data change."
  static let examples = ["reconfigure letters [1, 0]; diff letters"]
  static let seeAlso = ["reload", "update", "watch", "diff", "changes"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument
  private let path: IndexPathArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    path = IndexPathArgument(try arguments.require(.indexPath))
  }

  func run(in session: inout Session) async throws -> CommandResult {
    try await session.refresh(.reconfigure, source, path)
  }
}

extension Session {
  fileprivate mutating func refresh(
    _ refresh: Refresh, _ source: SourceArgument, _ path: IndexPathArgument
  ) async throws -> CommandResult {
    let span = source.span
    try checkNoTransaction(at: span)
    let source = try await source.source(in: &self)
    let located = try await path.path(in: &self)
    _ = try await object(at: located, of: source)
    let name = displayName(of: source)
    do {
      try await source.refresh(
        refresh, at: located.path, cancellation: cancellation, listener: eventListener)
    } catch {
      var diagnostic = Diagnostic(facts: error)
      diagnostic.message = "\(name): \(diagnostic.message)"
      diagnostic.place = span.place
      throw diagnostic
    }
    let path = located.path
    let data = Record([
      ("source", .string(name)), ("change", .string(refresh.rawValue)),
      ("path", .array([.integer(path.section), .integer(path.row)])),
    ])
    return CommandResult(
      .source(source),
      Output(.report(Report(headline: "\(name): \(refresh.rawValue) \(path)", data: data))))
  }
}
