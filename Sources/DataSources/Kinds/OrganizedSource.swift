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

  /// The positions of the objects that were removed, ascending.
  private(set) var removed: [Int] = []

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
    let sectioning = sectioning
    let inner = try await fetch.snapshot(of: source)
    var snapshot = try await sectioning.snapshot(
      of: inner, cancellation: fetch.cancellation, progress: fetch.progress)
    snapshot.input = inner.store.local?.order
    try fetch.cancellation.check()
    removed = []
    return snapshot
  }

  /// For each section its title, then the positions of its objects in the input; what was removed
  /// does not count.
  /// - Throws: ``SourceError/notFetched``.
  public func references() throws -> [[Value]] {
    try content.references { $0 - removedCount(before: $0) }
  }

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
  /// fetch brings it back. Delegates and wrappers hear of it as of any edit.
  ///
  /// - Complexity: O(rows).
  /// - Throws: ``SourceError/notFetched``, `outOfRange` when nothing stands there.
  public func remove(
    at path: IndexPath, cancellation: Cancellation = Cancellation()
  ) async throws {
    while isFetching { await state.waitForEnd() }
    let content = try content
    guard let store = content.store.local else { throw SourceError.notFetched }
    let position = content.inputPosition(ofRow: try store.row(at: path))
    var edited = Snapshot(
      store.removing(at: path), indexTitles: content.indexTitling, findings: content.findings,
      arrangement: content.arrangement)
    edited.input = content.input
    removed.insert(position, at: removedCount(before: position))
    await show(edited, cancellation: cancellation)
  }
}

extension OrganizedSource: EditableSource {
  public func apply(_ edit: Edit, cancellation: Cancellation) async throws -> Bool {
    guard case .remove(let path) = edit else { return false }
    try await remove(at: path, cancellation: cancellation)
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
