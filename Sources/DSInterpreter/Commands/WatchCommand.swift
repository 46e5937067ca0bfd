import DataSources
import DataTables

/// `watch SOURCE`
struct WatchCommand: Command {
  static let names = ["watch"]
  static let synopsis = "watch SOURCE"
  static let summary = "Shows the changes of a source from now on, as fetches and edits happen."
  static let examples = ["watch letters; insert foods {name: Peach, kind: fruit}"]
  static let seeAlso = ["unwatch", "diff", "insert", "remove", "update", "changes"]
  static let resultKind = ResultKind.sameSource

  let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    session.watch(source)
    return session.result(source, "watched", isWatched: true)
  }
}

extension Session {
  /// What `watch` and `unwatch` have to say.
  func result(_ source: any DataSource, _ text: String, isWatched: Bool) -> CommandResult {
    let name = nameToShow(of: source)
    return CommandResult(
      .source(source),
      Output(
        .report(
          Report(
            headline: "\(name): \(text)",
            data: Record([("source", .string(name)), ("watched", .bool(isWatched))])))))
  }
}
