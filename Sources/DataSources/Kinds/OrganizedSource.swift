public import DataTables

/// The objects of another source, organized for a table view by values or by months.
///
/// Rows are sorted by ``sort``, then by ``initial``; the order of the sections does not depend on
/// the sort. ``remove(at:cancellation:)`` removes objects from this source only; a fetch restores
/// them.
public final class OrganizedSource: WrappingSource, ReferencingSource, EditableSource {
  public enum Style: String, Sendable, CaseIterable {
    /// A section for each value of the key, in ascending order of the titles: by
    /// `localizedCaseInsensitive`, then by `compare`.
    case alphabetically
    /// A section for each month, titled like `November 2012`, in chronological order; rows without
    /// a date are last.
    case chronologically
  }
  public static let kind = "organized"
  public let state: SourceState
  public private(set) var source: any DataSource
  public let style: Style
  /// The key of the sections from the next fetch on. nil uses the key of the first sort descriptor
  /// or, without sort descriptors, the objects themselves.
  public var key: ObjectKeyPath?
  /// The sort descriptors of the next fetch; empty to sort by the key.
  public var sort: [SortDescriptor]
  /// The order of rows that are equal by ``sort``.
  public var initial: [SortDescriptor]
  /// The time zone in which days and months begin.
  public var zone: Zone
  /// The locale by which titles are ordered; nil for the root locale.
  public var locale: String?
  public var indexTitles: IndexTitles

  /// The positions of the removed objects in the input, ascending.
  private(set) var removed: [Int] = []

  /// - Parameters:
  ///   - key: the key of the sections; see ``key``.
  ///   - sort: the order of rows; empty to sort by the key.
  ///   - initial: the order of rows that are equal by `sort`.
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

  private var contentRequest: ContentRequest {
    var settings = SectionSettings()
    settings.zone = zone
    settings.order = GroupOrder(.title, comparison: .localizedCaseInsensitive, locale: locale)
    let mode: SectionMode = style == .alphabetically ? .groups : .organizedMonths
    return ContentRequest(sort: rowSort, sections: .split(by: sectionKey, mode, settings))
  }

  public func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    let (request, indexTitles) = (contentRequest, indexTitles)
    let snapshot = try await fetch.snapshot(of: source)
      .answering(request, indexTitles: indexTitles, fetch.context)
    try fetch.cancellation.check()
    removed = []
    return snapshot
  }

  /// One array per section: its title, then the positions of its objects, counted in the input
  /// without the removed objects.
  /// - Throws: ``SourceError/notFetched``.
  public func references(
    cancellation: Cancellation = Cancellation()
  ) async throws -> [[Value]] {
    let content = try content
    return try await content.references(cancellation: cancellation) {
      $0 - removedCount(before: $0)
    }
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

  /// Removes an object, and its section if no objects remain in it, from this source only; the next
  /// fetch restores both. Delegates receive the events of an edit, and wrappers are updated.
  ///
  /// - Complexity: O(rows).
  /// - Throws: ``SourceError/notFetched``, `outOfRange` when no object exists at `path`.
  public func remove(
    at path: IndexPath, cancellation: Cancellation = Cancellation()
  ) async throws {
    while isFetching { await state.waitForEnd() }
    let content = try content
    let store = try await content.localStore(RequestContext(cancellation: cancellation))
    let position = store.inputPosition(ofRow: try store.row(at: path))
    let edited = Snapshot(
      store.removing(at: path), indexTitles: content.indexTitling, findings: content.findings,
      request: content.request)
    removed.insert(position, at: removedCount(before: position))
    await show(edited, cancellation: cancellation)
  }

  public func apply(_ edit: Edit, cancellation: Cancellation) async throws -> Bool {
    guard case .remove(let path) = edit else { return false }
    try await remove(at: path, cancellation: cancellation)
    return true
  }

  /// The reason why an object that was removed here is not shown; nil for all other objects.
  public func absence(
    of object: Value, at path: IndexPath, ofChild child: Int
  ) async throws -> String? {
    guard let store = source.state.snapshot?.store else { return nil }
    return removed.contains(store.position(of: path))
      ? "it was removed here; a fetch restores it" : nil
  }
}

extension LocalStore {
  /// - Precondition: `path` is the index path of an object.
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
    return with(.rows(rows), Sections(offsets: offsets, titles: titles))
  }
}
