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
  fileprivate var partsBeforeTrail: Int { lead.count + listedSections.count }

  /// The part of the listing that is shown at once.
  ///
  /// - Parameter limit: the maximum number of rows, shared by the sections if index paths are shown;
  ///   with ``first``, the maximum number of sections. nil for all.
  /// - Complexity: O(limit), O(parts) without a limit.
  public func excerpt(limit: Int?) -> ListingExcerpt { ListingExcerpt(self, limit: limit) }
}

/// The part of a listing that is shown at once: the first rows of each section, or the first objects.
public struct ListingExcerpt: Sendable {
  /// The shown rows of one section.
  public struct Part: Sendable {
    public let section: Int
    public let rows: Range<Int>
    /// The number of rows after ``rows`` that are not shown.
    public let hiddenRows: Int
  }

  public let listing: ObjectListing
  public let numberOfParts: Int
  private let rowsPerPart: Int
  private let rowsOfLastPart: Int
  /// Whether a single row more is shown too: the line that counts it would not be shorter.
  private let showsLastRow: Bool
  private let isCutInEachSection: Bool
  private let limit: Int?

  /// The smallest number of rows of each section before sections are left out.
  private static let fewRows = 3

  fileprivate init(_ listing: ObjectListing, limit: Int?) {
    self.listing = listing
    self.limit = limit
    let all = listing.numberOfParts
    isCutInEachSection = listing.showsIndexPaths
    if listing.showsIndexPaths {
      let isShared = listing.first == nil && all > 1
      showsLastRow = isShared && limit != nil
      if let first = listing.first {
        (numberOfParts, rowsPerPart) = (min(all, limit ?? all), first)
      } else {
        (numberOfParts, rowsPerPart) = limit.map { Self.shares(of: $0, in: listing) } ?? (all, .max)
      }
      rowsOfLastPart = rowsPerPart
    } else {
      showsLastRow = false
      rowsPerPart = .max
      var left = listing.first ?? limit ?? .max
      var rows = Int.max
      var count = 0
      while count < all, left > 0 {
        rows = min(listing.part(count).rows.count, left)
        left -= rows
        count += 1
      }
      (numberOfParts, rowsOfLastPart) = (count, rows)
    }
  }

  /// The number of sections that share the rows, and the number of rows of each.
  private static func shares(of limit: Int, in listing: ObjectListing) -> (Int, Int) {
    let all = listing.numberOfParts
    var sizes: [Int] = []
    var used = 0
    while sizes.count < all {
      // A section without objects counts as one row, which bounds the output of many of them.
      let size = max(listing.part(sizes.count).rows.count, 1)
      let least = min(size, fewRows)
      if used + least > limit && !sizes.isEmpty { break }
      used += least
      sizes.append(size)
    }
    if sizes.count == 1 { return (1, limit) }
    var rows = fewRows
    while rows < limit, sizes.reduce(0, { $0 + min($1, rows + 1) }) <= limit { rows += 1 }
    return (sizes.count, rows)
  }

  public func part(_ index: Int) -> Part {
    let part = listing.part(index)
    var count = min(part.rows.count, index == numberOfParts - 1 ? rowsOfLastPart : rowsPerPart)
    if showsLastRow && part.rows.count == count + 1 { count += 1 }
    return Part(
      section: part.section, rows: part.rows.prefix(count), hiddenRows: part.rows.count - count)
  }

  /// The number of shown objects.
  public var numberOfObjects: Int {
    (0..<numberOfParts).reduce(0) { $0 + part($1).rows.count }
  }

  /// The number of sections after the last shown one.
  public var hiddenSections: Int { max(0, listing.partsBeforeTrail - numberOfParts) }

  /// Whether each section has a line about its own hidden rows.
  public var countsRowsOfEachSection: Bool { isCutInEachSection && listing.numberOfParts > 1 }

  /// The number of objects after the last shown one, without those that a line about the hidden rows
  /// of a section counts. If sections follow, only their objects count.
  public var numberOfHiddenObjects: Int {
    var hidden = listing.numberOfObjects
    for index in 0..<numberOfParts {
      let part = part(index)
      hidden -= part.rows.count + (countsRowsOfEachSection ? part.hiddenRows : 0)
    }
    if hiddenSections > 0 { hidden -= listing.trail.reduce(0) { $0 + $1.rows.count } }
    return hidden
  }

  /// The objects that are not shown: the sections after the last shown one, then the other rows of
  /// the shown ones; nil without any.
  public var rest: ObjectListing? {
    let cut = (0..<numberOfParts).compactMap { index -> SectionRows? in
      let part = part(index)
      guard part.hiddenRows > 0 else { return nil }
      let end = part.rows.upperBound
      return SectionRows(section: part.section, rows: end..<end + part.hiddenRows)
    }
    var rest = listing.suffix(from: numberOfParts)
    if listing.showsIndexPaths { rest.trail += cut } else { rest.lead = cut + rest.lead }
    let isEmpty = rest.numberOfParts == 0 || !listing.showsIndexPaths && rest.numberOfObjects == 0
    return isEmpty ? nil : rest
  }

  // Commands that show more.

  /// The command that shows the hidden rows of a section.
  public func command(forRowsAfter part: Part) -> String {
    guard let command = listing.command else { return ListingCommand.more }
    // A section alone usually shows more rows than one of several.
    let startsOver =
      part.rows.lowerBound == 0 && listing.first == nil && part.rows.count < limit ?? .max
    return command.text(
      section: part.section, from: startsOver ? nil : [part.section, part.rows.upperBound])
  }

  /// The command that shows the objects after the last shown one.
  public var commandForRest: String {
    guard let command = listing.command else { return ListingCommand.more }
    if hiddenSections > 0, countsRowsOfEachSection || listing.showsIndexPaths {
      let section = listing.part(numberOfParts).section
      return command.text(from: [section], first: listing.first)
    }
    guard !countsRowsOfEachSection, numberOfParts > 0 else { return ListingCommand.more }
    let last = part(numberOfParts - 1)
    let isWholeSource = listing.snapshot.store.numberOfSections == 1
    let section = command.isOfOneSection && !isWholeSource ? last.section : nil
    if last.hiddenRows == 0 {
      guard numberOfParts < listing.numberOfParts else { return ListingCommand.more }
      return command.text(section: section, from: [listing.part(numberOfParts).section])
    }
    return command.text(section: section, from: [last.section, last.rows.upperBound])
  }
}

extension Range<Int> {
  fileprivate func prefix(_ count: Int) -> Range { lowerBound..<lowerBound + count }
}

/// The command of a listing, from which the commands that show more of it are made.
struct ListingCommand: Sendable {
  /// The command that continues the last result.
  static let more = "more"

  let verb: String
  /// The bound name of the source.
  let source: String
  /// Whether the command names a section.
  let isOfOneSection: Bool
  /// `name, address.city`; nil without `columns:`.
  let columns: String?

  /// `show letters [3] from: [3, 10]`
  func text(section: Int? = nil, from place: [Int]? = nil, first: Int? = nil) -> String {
    var words = [verb, source]
    if let section { words.append("[\(section)]") }
    if let place { words.append("from: [\(place.map(String.init).joined(separator: ", "))]") }
    if let first { words.append("first: \(first)") }
    if let columns { words.append("columns: \(columns)") }
    return words.joined(separator: " ")
  }
}
