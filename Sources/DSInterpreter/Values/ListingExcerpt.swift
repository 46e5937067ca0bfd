import DataSources

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

  init(_ listing: ObjectListing, limit: Int?) {
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

  /// The number of objects after the last shown one; if sections follow, the number of their objects.
  /// Excludes hidden rows that the line of a section counts.
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
