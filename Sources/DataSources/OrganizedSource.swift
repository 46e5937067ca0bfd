public import DataTables

/// Another source's objects, organised as a table view's: under whole values, or under months.
///
/// Rows are sorted by `sort`, then by `initial`; sections stand in an order of their own, whatever
/// the direction of the sort. It keeps a copy of the order, from which ``remove(at:)`` drops objects;
/// a fetch brings them back.
public final class OrganizedSource: WrappingSource, ReferencingSource {
  public enum Style: String, Sendable, CaseIterable {
    /// Sections are the values of the key, titles ascending: localized without regard to case, then
    /// by `compare`.
    case alphabetically
    /// Sections are months, titled like `November 2012`, by time; rows without a date come last.
    case chronologically
  }
  public static let kind = "organized"
  public let state: SourceState
  public private(set) var source: any DataSource
  public let style: Style
  /// What the next fetch makes sections of; nil for the key of the first descriptor, or without
  /// one for the objects themselves.
  public var key: ObjectKeyPath?
  /// What the next fetch sorts rows by; none for the key.
  public var sort: [SortDescriptor]
  /// Orders the rows that ``sort`` leaves equal.
  public var initial: [SortDescriptor]
  /// Where days begin, and so months.
  public var zone: Zone
  /// Whose order titles stand in; nil is the root.
  public var locale: String?
  public var indexTitles: IndexTitles

  /// For every row of the table its position in the input that was fetched.
  private var positions: [Int: Int]?
  /// The positions of the objects that were removed, ascending.
  private(set) var removed: [Int] = []
  private var edited: Snapshot?

  /// - Parameters:
  ///   - key: what the sections are of; nil takes the key of the first descriptor.
  ///   - sort: the order of rows; none sorts by the key.
  ///   - initial: orders rows that `sort` leaves as they are.
  public init(
    _ source: any DataSource, _ style: Style, key: ObjectKeyPath? = nil,
    sort: [SortDescriptor] = [], initial: [SortDescriptor] = [], zone: Zone = .gmt,
    locale: String? = nil, indexTitles: IndexTitles = .firstCharacter, name: String = ""
  ) {
    self.source = source
    self.style = style
    self.key = key
    self.sort = sort
    self.initial = initial
    self.zone = zone
    self.locale = locale
    self.indexTitles = indexTitles
    state = SourceState(name: name)
    listenToChildren()
  }

  public func wrap(_ other: any DataSource) throws(SourceError) {
    try leaveSource(for: other)
    source = other
    listenToChildren()
  }

  /// `organized alphabetically by customer, sorted by customer, id`
  public var summary: String {
    "organized \(style.rawValue) by \(sectionKey), sorted by "
      + rowSort.map(\.description).joined(separator: ", ")
  }

  private var sectionKey: ObjectKeyPath { key ?? sort.first?.keyPath ?? ObjectKeyPath(key: "SELF") }

  private var rowSort: [SortDescriptor] {
    (sort.isEmpty ? [SortDescriptor(sectionKey)] : sort) + initial
  }

  private var sectioning: Sectioning {
    var settings = SectionSettings()
    settings.zone = zone
    settings.order = GroupOrder(.title, comparison: .localizedCaseInsensitive, locale: locale)
    return Sectioning(
      key: sectionKey, sort: rowSort, mode: style == .alphabetically ? .groups : .organizedMonths,
      settings: settings, indexTitles: indexTitles)
  }

  public func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    if let edited {
      self.edited = nil
      return edited
    }
    let sectioning = sectioning
    let inner = try await fetch.snapshot(of: source)
    let snapshot = try await sectioning.snapshot(
      of: inner, cancellation: fetch.cancellation, progress: fetch.progress)
    try fetch.cancellation.check()
    removed = []
    positions = inner.store.local.flatMap(Self.positions)
    return snapshot
  }

  /// nil where rows are their own positions.
  private static func positions(of store: LocalStore) -> [Int: Int]? {
    guard case .rows(let rows) = store.order else { return nil }
    return Dictionary(
      zip(rows.map { Int($0) }, rows.indices), uniquingKeysWith: { first, _ in first })
  }

  /// For each section its title, then the positions of its objects in the input; what was removed
  /// does not count.
  /// - Throws: ``SourceError/notFetched``.
  public func references() throws -> [[Value]] {
    guard let store = try content.store.local else { return [] }
    return (0..<store.numberOfSections).map { section in
      let references = store.rows(in: section).map { row in
        let position = position(ofRow: row)
        return Value.integer(position - removedCount(before: position))
      }
      return [store.sections.titles[section]] + references
    }
  }

  private func position(ofRow row: Int) -> Int { positions?[row] ?? row }

  private func removedCount(before position: Int) -> Int {
    var low = 0
    var high = removed.count
    while low < high {
      let middle = (low + high) / 2
      if removed[middle] < position { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Drops an object from this source alone, and its section when that is left empty; the next
  /// fetch brings it back. Delegates and wrappers hear of it as of a fetch.
  ///
  /// - Complexity: O(rows).
  /// - Throws: ``SourceError/notFetched``, `outOfRange` when nothing stands there.
  public func remove(at path: IndexPath) async throws {
    while isFetching { await state.waitForEnd() }
    guard let store = try content.store.local else { throw SourceError.notFetched }
    let position = position(ofRow: try store.row(at: path))
    let place = removedCount(before: position)
    edited = Snapshot(
      store.removing(at: path), indexTitles: try content.indexTitling,
      findings: try content.findings, arrangement: try content.arrangement)
    // A fetch that is cancelled before it takes the new order must not leave it to the next one.
    defer { edited = nil }
    try await fetchData()
    removed.insert(position, at: place)
  }
}

extension OrganizedSource: EditableSource {
  public func apply(_ edit: Edit, cancellation: Cancellation) async throws -> Bool {
    guard case .remove(let path) = edit else { return false }
    try await remove(at: path)
    return true
  }
}

extension LocalStore {
  /// - Precondition: an object stands at `path`.
  fileprivate func removing(at path: IndexPath) -> LocalStore {
    var rows = (0..<order.count).map { UInt32(truncatingIfNeeded: order[$0]) }
    rows.remove(at: sections.offsets[path.section] + path.row)
    var offsets = sections.offsets
    for section in (path.section + 1)..<offsets.count { offsets[section] -= 1 }
    var titles = sections.titles
    if offsets[path.section] == offsets[path.section + 1] {
      offsets.remove(at: path.section)
      titles.remove(at: path.section)
    }
    return LocalStore(
      table: table, order: .rows(rows), sections: SectionCut(offsets: offsets, titles: titles))
  }
}
