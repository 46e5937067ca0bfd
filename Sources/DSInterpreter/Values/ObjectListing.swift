public import DataSources

/// The objects of some sections of a snapshot; nothing is read before it is rendered.
///
/// A listing is a sequence of parts: rows of single sections (``lead``), whole ``sections``, then
/// again rows of single sections (``trail``).
public struct ObjectListing: Sendable {
  public var snapshot: Snapshot
  /// Rows before those of ``sections``: `from: [2, 10]`.
  var lead: [SectionRows] = []
  public var sections: Range<Int>
  /// Rows after those of ``sections``: what `more` shows of sections that were cut.
  var trail: [SectionRows] = []
  /// Whether section titles and index paths are shown to people (`show`).
  public var showsIndexPaths: Bool
  /// The maximum number of rows of each section if index paths are shown, otherwise of all objects;
  /// nil if `first:` is not given.
  public var first: Int?
  /// A line for people after the last object: `loading …`, `no results`, an error.
  public var placeholder: String?
  /// The command of the listing; nil if the source has no name.
  var command: ListingCommand?

  public init(snapshot: Snapshot, sections: Range<Int>, showsIndexPaths: Bool) {
    self.snapshot = snapshot
    self.sections = sections
    self.showsIndexPaths = showsIndexPaths
  }

  /// The number of objects of all parts, also of those that ``first`` leaves out.
  public var numberOfObjects: Int {
    let single = (lead + trail).reduce(0) { $0 + $1.rows.count }
    let store = snapshot.store
    let sections = listedSections
    if sections.count == store.numberOfSections { return single + store.numberOfObjects }
    return sections.reduce(single) { $0 + store.numberOfObjects(in: $1) }
  }

  /// The whole sections that exist in the snapshot.
  private var listedSections: Range<Int> {
    sections.clamped(to: 0..<snapshot.store.numberOfSections)
  }

  /// The number of parts.
  var numberOfParts: Int { lead.count + listedSections.count + trail.count }

  /// The part at an index, with all of its rows.
  func part(_ index: Int) -> SectionRows {
    if index < lead.count { return lead[index] }
    let sections = listedSections
    let position = index - lead.count
    if position < sections.count {
      let section = sections.lowerBound + position
      return SectionRows(section: section, rows: 0..<snapshot.store.numberOfObjects(in: section))
    }
    return trail[position - sections.count]
  }

  /// The parts from an index on.
  func suffix(from index: Int) -> ObjectListing {
    var rest = self
    rest.lead = Array(lead.dropFirst(index))
    let sections = listedSections
    let skipped = min(max(index - lead.count, 0), sections.count)
    rest.sections = sections.lowerBound + skipped..<sections.upperBound
    rest.trail = Array(trail.dropFirst(max(0, index - lead.count - sections.count)))
    return rest
  }

  /// Whether the listing consists of all rows of ``sections``.
  var isOfWholeSections: Bool { lead.isEmpty && trail.isEmpty && first == nil }

  /// The number of parts in ``lead`` and ``sections``.
  var partsBeforeTrail: Int { lead.count + listedSections.count }

  /// The part of the listing that is shown at once.
  ///
  /// - Parameter limit: the maximum number of rows, shared by the sections if index paths are shown;
  ///   with ``first``, the maximum number of sections. nil for all.
  /// - Complexity: O(limit), O(parts) without a limit.
  public func excerpt(limit: Int?) -> ListingExcerpt { ListingExcerpt(self, limit: limit) }
}
