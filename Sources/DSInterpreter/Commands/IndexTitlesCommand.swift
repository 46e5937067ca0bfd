import DataSources
import DataTables

/// `titles SOURCE`
struct TitlesCommand: Command {
  static let names = ["titles", "sectionTitles"]
  static let parameters = [Parameter.source]
  static let summary = "Returns the titles of the sections."
  static let examples = ["titles letters"]
  static let seeAlso = ["sections", "indexTitles"]

  private let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    session.contentReads?.add(.sections, of: source)
    let titles = try await source.sectionTitles()
    return CommandResult(.value(.array(titles)), Output(.list(titles)))
  }
}

/// `indexTitles SOURCE`
struct IndexTitlesCommand: Command {
  static let names = ["indexTitles", "sectionIndexTitles"]
  static let parameters = [Parameter.source]
  static let summary = "Returns the titles of the index next to a list, which lead to sections."
  static let examples = ["indexTitles letters"]
  static let seeAlso = ["sections", "titles", "index"]

  private let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let titles = try await source.source(in: &session).sectionIndexTitles().map(Value.string)
    return CommandResult(.value(.array(titles)), Output(.list(titles)))
  }
}

/// `sectionForIndexTitle SOURCE TITLE [at: N]`
struct SectionForIndexTitleCommand: Command {
  private static let title = Parameter(.indexTitle)
  private static let position = Label(
    "at", .nonNegativeInteger, "position among the index titles, from 0; titles may repeat",
    example: "2")

  static let names = ["sectionForIndexTitle", "sectionForSectionIndexTitle"]
  static let parameters = [Parameter.source, title]
  static let labels = [position]
  static let summary = "Returns the section that an index title leads to."
  static let examples = [
    "sectionForIndexTitle letters C at: 2", "sectionForIndexTitle letters G",
  ]
  static let seeAlso = ["indexTitles", "sections", "index"]

  private let source: SourceArgument
  private let title: Argument
  private let position: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    title = try arguments.require(Self.title)
    position = try arguments[Self.position]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let snapshot = try session.content(of: source, at: self.source.span)
    let title = try await title.string(in: &session)
    let index = try await snapshot.sectionIndex()
    let section: Int
    do {
      section = try index.section(for: title, at: try position?.integer())
    } catch let error as SourceError {
      let isUnknown = !index.titles.contains(title)
      let name = session.displayName(of: source)
      throw Diagnostic(
        error.kind,
        isUnknown
          ? "\(name) has no index title \(Value.string(title).excerpt)"
          : "\(error.message) of \(name)",
        suggestion: isUnknown ? Suggestion.nearest(to: title, among: index.titles) : nil,
        at: isUnknown ? self.title.span : position?.span ?? self.title.span)
    }
    return CommandResult(.value(.integer(section)), Output(.value(.integer(section))))
  }
}
