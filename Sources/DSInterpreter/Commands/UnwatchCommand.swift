import DataSources
import DataTables

/// `unwatch SOURCE`
struct UnwatchCommand: Command {
  static let names = ["unwatch"]
  static let synopsis = "unwatch SOURCE"
  static let summary = "Shows the changes of a source no longer."
  static let examples = ["watch letters | unwatch"]
  static let seeAlso = ["watch"]
  static let resultKind = ResultKind.sameSource

  let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    session.unwatch(source)
    return session.result(source, "not watched", isWatched: false)
  }
}
