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

/// `objects SOURCE [SECTION]`
struct ObjectsCommand: Command {
  static let names = ["objects", "allObjects"]
  static let parameters = ListingArguments.parameters
  static let summary = "Returns the objects of all sections or of one section."
  static let examples = ["objects letters [2]", "objects letters"]
  static let seeAlso = ["show", "object", "simple"]

  private let listing: ListingArguments

  init(parsing arguments: inout Arguments) throws {
    listing = try ListingArguments(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let listing = try await listing.listing(in: &session, showsIndexPaths: false)
    return CommandResult(.objects(listing), Output(.objects(listing)))
  }
}

/// `show SOURCE [SECTION]`
struct ShowCommand: Command {
  static let names = ["show"]
  static let parameters = ListingArguments.parameters
  static let summary = "Shows sections with their titles and objects with their index paths."
  static let examples = ["show letters", "show letters [5]"]
  static let seeAlso = ["sections", "objects"]

  private let listing: ListingArguments

  init(parsing arguments: inout Arguments) throws {
    listing = try ListingArguments(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let listing = try await listing.listing(in: &session, showsIndexPaths: true)
    return CommandResult(.objects(listing), Output(.objects(listing)))
  }
}

/// A source and optionally one of its sections.
private struct ListingArguments {
  static let parameters = [Parameter.source, .section]

  private let source: SourceArgument
  private let section: IndexPathArgument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    section = try arguments.take(.section).map(IndexPathArgument.init)
  }

  func listing(in session: inout Session, showsIndexPaths: Bool) async throws -> ObjectListing {
    let source = try await source.source(in: &session)
    let placeholder = showsIndexPaths ? Placeholder.row(of: source) : nil
    let snapshot =
      source.state.snapshot == nil && placeholder != nil
      ? Snapshot(NoSections.store) : try session.content(of: source, at: self.source.span)
    var sections = 0..<snapshot.numberOfSections
    if let section = try await section?.section(in: &session) {
      try session.check(section: section.section, of: source, snapshot, at: section.at)
      sections = section.section..<section.section + 1
    }
    var listing = ObjectListing(
      snapshot: snapshot, sections: sections, showsIndexPaths: showsIndexPaths)
    if sections.upperBound == snapshot.numberOfSections { listing.placeholder = placeholder }
    return listing
  }
}

/// The empty content that is listed with a placeholder before the first fetch.
private enum NoSections {
  static let store = LocalStore(
    table: ValueTable([]), order: .natural(0), sections: Sections(offsets: [0], titles: []))
}
