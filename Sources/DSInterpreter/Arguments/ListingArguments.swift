import DataSources
import DataTables

/// The arguments of `show` and `objects`: a source and the part of it that is listed.
struct ListingArguments {
  private static let first = Label(
    "first", .positiveInteger, "most rows of each section (show), most objects (objects)",
    example: "3")
  private static let start = Label(
    "from", .place, "index path or section to begin with", example: "[2, 1]")
  private static let columns = Label(
    "columns", .list(.keyPath(.someRows)), "key paths of the values to show", example: "name, kind")
  static let parameters = [Parameter.source, .section]
  static let labels = [first, start, columns]

  private let verb: Word
  private let source: SourceArgument
  private let section: IndexPathArgument?
  private let first: Int?
  private let start: Argument?
  private let columns: [Argument]?

  init(parsing arguments: inout Arguments) throws {
    verb = arguments.stage.verb
    source = try SourceArgument(parsing: &arguments)
    section = try arguments.take(.section).map { argument in
      if argument.elements?.count == 2 {
        throw Self.indexPathMistake(argument, in: arguments.stage)
      }
      return IndexPathArgument(argument)
    }
    first = try arguments[Self.first]?.integer()
    start = try arguments[Self.start]
    columns = arguments.list(Self.columns)
  }

  /// The error of an index path where a section is expected.
  private static func indexPathMistake(_ path: Argument, in stage: Stage) -> Diagnostic {
    let section = path.elements?.first?.span.text ?? "0"
    // Without a source before it, the source is the one that `|` passed.
    let source =
      stage.atoms.first { $0.span.end <= path.span.start }.map { $0.span.text + " " } ?? ""
    return path.error(
      .badArgument,
      "expected one section: `\(stage.verb.text) \(source)[\(section)]`; "
        + "`object \(source)\(path.span.text)` shows the object at an index path")
  }

  func listing(in session: inout Session, showsIndexPaths: Bool) async throws -> ObjectListing {
    let source = try await source.source(in: &session)
    let placeholder = showsIndexPaths ? Placeholder.row(of: source) : nil
    let snapshot =
      source.state.snapshot == nil && placeholder != nil
      ? .empty : try session.content(of: source, at: self.source.span)
    var sections = 0..<snapshot.numberOfSections
    if let section = try await section?.section(in: &session) {
      try session.check(section: section.section, of: source, snapshot, at: section.at)
      sections = section.section..<section.section + 1
    }
    let isLast = sections.upperBound == snapshot.numberOfSections
    var listing = ObjectListing(
      snapshot: try await shown(snapshot, of: source, in: &session), sections: sections,
      showsIndexPaths: showsIndexPaths)
    listing.first = first
    if let start { try await begin(&listing, at: start, of: source, in: &session) }
    if isLast { listing.placeholder = placeholder }
    listing.command = session.boundName(of: source).map { name in
      ListingCommand(
        verb: verb.text, source: name, isOfOneSection: section != nil,
        columns: columns?.map(\.span.text).joined(separator: ", "))
    }
    return listing
  }

  /// The content with only the columns of `columns:`.
  private func shown(
    _ snapshot: Snapshot, of source: any DataSource, in session: inout Session
  ) async throws -> Snapshot {
    guard let columns else { return snapshot }
    let paths = try await session.keys(columns, of: source)
    let keys = paths.map(\.defaultKey)
    let shown = zip(paths, keys).map { path, key in
      let isUnique = keys.count { $0 == key } == 1
      return ProjectedTable.Column(key: isUnique ? key : path.description, path: path)
    }
    return try await snapshot.showing(shown, session.requestContext)
  }

  private func begin(
    _ listing: inout ObjectListing, at argument: Argument, of source: any DataSource,
    in session: inout Session
  ) async throws {
    let place = try await IndexPathArgument(argument).place(in: &session)
    let section: Int
    switch place {
    case .section(let number, let span):
      section = number
      try session.check(section: section, of: source, listing.snapshot, at: span)
    case .path(let located):
      section = located.path.section
      try await session.check(located, of: source)
    }
    guard listing.sections.contains(section) else {
      throw argument.error(
        .badArgument, "`from:` must be in section \(listing.sections.lowerBound), which is listed")
    }
    listing.sections = section..<listing.sections.upperBound
    if case .path(let located) = place {
      let count = listing.snapshot.store.numberOfObjects(in: section)
      listing.lead = [SectionRows(section: section, rows: located.path.row..<count)]
      listing.sections = section + 1..<listing.sections.upperBound
    }
  }
}

extension Snapshot {
  /// The content that is shown with a placeholder before the first fetch.
  static var empty: Snapshot {
    Snapshot(
      LocalStore(
        table: ValueTable([]), order: .natural(0), sections: Sections(offsets: [0], titles: [])))
  }
}
