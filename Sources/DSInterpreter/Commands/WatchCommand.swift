import DataSources
import DataTables

/// `watch SOURCE`
struct WatchCommand: Command {
  static let names = ["watch"]
  static let parameters = [Parameter.source]
  static let summary = "Shows the changes of a source after each fetch and edit from now on."
  static let examples = ["watch letters; insert foods {name: Peach, kind: fruit}"]
  static let seeAlso = ["unwatch", "diff", "insert", "remove", "update", "changes"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    session.watch(source)
    return session.result(source, "watched", isWatched: true)
  }
}

/// `unwatch SOURCE`
struct UnwatchCommand: Command {
  static let names = ["unwatch"]
  static let parameters = [Parameter.source]
  static let summary = "Stops showing the changes of a source."
  static let examples = ["watch letters | unwatch"]
  static let seeAlso = ["watch"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    session.unwatch(source)
    return session.result(source, "not watched", isWatched: false)
  }
}

extension Session {
  fileprivate func result(
    _ source: any DataSource, _ text: String, isWatched: Bool
  ) -> CommandResult {
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
