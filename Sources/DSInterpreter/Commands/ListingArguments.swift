import DataSources
import DataTables

/// A source and perhaps one of its sections, as `show` and `objects` take them.
struct ListingArguments {
  private let source: SourceArgument
  private let section: IndexPathArgument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    section = arguments.take().map(IndexPathArgument.init)
  }

  func listing(in session: inout Session, showsPlaces: Bool) async throws -> ObjectListing {
    let source = try await source.source(in: &session)
    let placeholder = showsPlaces ? Placeholder.row(of: source) : nil
    let snapshot =
      source.state.snapshot == nil && placeholder != nil
      ? Snapshot(NoSections.store) : try session.content(of: source, at: self.source.span)
    var sections = 0..<snapshot.numberOfSections
    if let section = try await section?.section(in: &session) {
      try session.check(section: section.section, of: source, snapshot, at: section.at)
      sections = section.section..<section.section + 1
    }
    var listing = ObjectListing(snapshot: snapshot, sections: sections, showsPlaces: showsPlaces)
    if sections.upperBound == snapshot.numberOfSections { listing.placeholder = placeholder }
    return listing
  }
}

/// What a placeholder is drawn behind before the first fetch.
private enum NoSections {
  static let store = LocalStore(
    table: ValueTable([]), order: .natural(0), sections: Sections(offsets: [0], titles: []))
}
