import DataSources
import DataTables

/// `wait [SOURCE]`
struct WaitCommand: Command {
  static let names = ["wait"]
  static let synopsis = "wait [SOURCE]"
  static let summary =
    "Waits for a fetch that goes on, and answers as fetch does; without a source for all."
  static let examples = ["fetch letters async: true; wait letters"]
  static let seeAlso = ["fetch", "cancel"]
  static let gives = Gift.sameSource

  let source: SourceArgument?

  init(parsing arguments: inout Arguments) throws {
    source = arguments.next == nil ? nil : try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> Answer {
    guard let source else { return try await session.waitForAllFetches() }
    return try await session.waitForFetch(
      of: try await source.source(in: &session), at: source.span)
  }
}
