import DataSources
import DataTables

/// `count SOURCE [SECTION]`
struct CountCommand: Command {
  static let names = ["count", "numberOfObjects"]
  static let parameters = [Parameter.source, .section]
  static let summary = "Returns the number of objects in all sections or in one section."
  static let examples = ["count letters", "count letters [5]"]
  static let seeAlso = ["sections"]

  private let source: SourceArgument
  private let section: IndexPathArgument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    section = try arguments.take(.section).map(IndexPathArgument.init)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    var count = source.numberOfObjects
    if let section = try await section?.section(in: &session) {
      let snapshot = try session.content(of: source, at: self.source.span)
      try session.check(section: section.section, of: source, snapshot, at: section.at)
      count = try snapshot.numberOfObjects(in: section.section)
    }
    return CommandResult(.value(.integer(count)), Output(.value(.integer(count))))
  }
}
