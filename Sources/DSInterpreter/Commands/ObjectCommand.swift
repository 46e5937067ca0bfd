import DataSources
import DataTables

/// `object SOURCE [SECTION, ROW]`
struct ObjectCommand: Command {
  static let names = ["object", "objectAtIndexPath"]
  static let parameters = [Parameter.source, .indexPath]
  static let summary = "Returns the object at an index path."
  static let examples = ["object letters [5, 1]", "object letters (indexPath letters {name: Pie})"]
  static let seeAlso = ["indexPath", "objects", "show"]

  private let source: SourceArgument
  private let path: IndexPathArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    path = IndexPathArgument(try arguments.require(.indexPath))
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    _ = try session.content(of: source, at: self.source.span)
    let object = try await session.object(at: try await path.path(in: &session), of: source)
    return CommandResult(.value(object), Output(.object(object)))
  }
}

/// `objects SOURCE [SECTION] [first: N] [from: [SECTION, ROW]] [columns: KEYPATH, …]`
struct ObjectsCommand: Command {
  static let names = ["objects", "allObjects"]
  static let parameters = ListingArguments.parameters
  static let labels = ListingArguments.labels
  static let summary = "Returns the objects of all sections or of one section."
  static let notes = [
    "Tables show the first 50 objects (`option rows`) and the command that shows more.",
    "`first:` counts over all sections.",
  ]
  static let examples = [
    "objects letters [2]", "objects letters", "objects foods first: 3 columns: name.length, kind",
  ]
  static let seeAlso = ["show", "more", "object", "simple"]

  private let listing: ListingArguments

  init(parsing arguments: inout Arguments) throws {
    listing = try ListingArguments(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let listing = try await listing.listing(in: &session, showsIndexPaths: false)
    return CommandResult(.objects(listing), Output(.objects(listing)))
  }
}

/// `show SOURCE [SECTION] [first: N] [from: [SECTION, ROW]] [columns: KEYPATH, …]`
struct ShowCommand: Command {
  static let names = ["show"]
  static let parameters = ListingArguments.parameters
  static let labels = ListingArguments.labels
  static let summary = "Shows sections with their titles and objects with their index paths."
  static let notes = [
    "Tables show the first rows of every section, 50 in all (`option rows`), and the commands that",
    "show more. With `first:`, each section has as many rows.",
  ]
  static let examples = [
    "show letters", "show letters [5]", "show letters first: 1 columns: name",
    "show letters from: [5, 1]",
  ]
  static let seeAlso = ["more", "sections", "objects"]

  private let listing: ListingArguments

  init(parsing arguments: inout Arguments) throws {
    listing = try ListingArguments(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let listing = try await listing.listing(in: &session, showsIndexPaths: true)
    return CommandResult(.objects(listing), Output(.objects(listing)))
  }
}
