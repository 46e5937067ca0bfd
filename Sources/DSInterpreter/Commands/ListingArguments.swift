import DataSources

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
    let snapshot = try session.content(of: source, at: self.source.span)
    var sections = 0..<snapshot.numberOfSections
    if let section = try await section?.section(in: &session) {
      try session.check(section: section.section, of: source, snapshot, at: section.at)
      sections = section.section..<section.section + 1
    }
    return ObjectListing(snapshot: snapshot, sections: sections, showsPlaces: showsPlaces)
  }
}
