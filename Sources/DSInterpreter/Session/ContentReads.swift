package import DataSources

/// The objects and the titles that commands have read, for the coverage of tests.
///
/// Copies of a session share it. Reads that only other layers make, such as those of a fetch, are not
/// among them.
package final class ContentReads {
  package struct Read {
    package let source: any DataSource
    package let part: Part
  }

  package enum Part {
    case rows(SectionRows)
    /// All objects of a section.
    case section(Int)
    /// All objects.
    case all
    /// The titles or the counts of all sections.
    case sections
  }

  private var reads: [Read] = []

  package init() {}

  package func add(_ part: Part, of source: any DataSource) {
    reads.append(Read(source: source, part: part))
  }

  /// Adds the objects of a listing, if a source of the session shows its content.
  package func add(_ listing: ObjectListing, in session: Session) {
    let source = session.reachableSources.last { source in
      source.state.snapshot.map { listing.snapshot.isIdentical(to: $0) } ?? false
    }
    guard let source else { return }
    let excerpt = listing.excerpt(limit: session.options.shownRows)
    for index in 0..<excerpt.numberOfParts {
      let part = excerpt.part(index)
      add(.rows(SectionRows(section: part.section, rows: part.rows)), of: source)
    }
  }

  /// Removes and returns the reads so far.
  package func take() -> [Read] {
    defer { reads = [] }
    return reads
  }
}
