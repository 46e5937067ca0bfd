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

  /// The removals since the last fetch, as positions in ``complete``.
  public let history = EditHistory(count: 0)
  /// The content of the last fetch, with the removed objects; nil before the first fetch.
  private var complete: Snapshot?

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

  public var plan: FetchPlan {
    FetchPlan(source, settings: [contentRequest, indexTitles]) {
      [contentRequest, indexTitles] inner, fetch in
      var context = fetch.context
      // The content before may lack objects that were removed from it.
      context.previous = nil
      return try await inner.answering(contentRequest, indexTitles: indexTitles, context)
    }
  }

  public func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    let snapshot = try await plannedSnapshot(fetch)
    if !fetch.isPreview {
      state.whenStored { [weak self] in
        self?.complete = snapshot
        self?.history.reset(count: snapshot.numberOfObjects)
      }
    }
    return snapshot
  }

  /// One array per section: its title, then the positions of its objects, counted in the input
  /// without the removed objects.
  /// - Throws: ``SourceError/notFetched``; `conflict` for an earlier content, whose removed objects
  ///   are not known.
  public func references(
    cancellation: Cancellation = Cancellation()
  ) async throws -> [[Value]] {
    try checkShowsLatestContent()
    let removed = try await removedPositions(cancellation: cancellation)
    return try await content.references(cancellation: cancellation) { position in
      position - removed.partitionPoint { $0 >= position }
    }
  }

  /// The positions of the removed objects in the input, ascending.
  private func removedPositions(cancellation: Cancellation) async throws -> [Int] {
    guard let complete, !history.rows.isNatural(complete.numberOfObjects) else { return [] }
    var isKept = [Bool](repeating: false, count: complete.numberOfObjects)
    for row in history.rows.rows { isKept[Int(row)] = true }
    let input = try await complete.store.inputPositions(cancellation: cancellation).flatMap { $0 }
    return zip(input, isKept).filter { !$1 }.map(\.0).sorted()
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
    try await edit(.remove(path), cancellation: cancellation)
  }

  public func owns(_ edit: Edit) -> Bool { if case .remove = edit { true } else { false } }

  public func apply(
    _ edit: Edit, in group: EditGroup, cancellation: Cancellation
  ) async throws -> EditOutcome {
    let store = try content.store
    let positions = Set(edit.paths.map { store.position(of: $0) }).sorted(by: >)
    for position in positions { history.replace(position..<position + 1, with: [], in: group) }
    return EditOutcome(EditCounts(removed: positions.count))
  }

  public func editedContent(cancellation: Cancellation) async throws -> Snapshot {
    guard let complete else { throw SourceError.notFetched }
    let store = try await complete.copyWithInput(RequestContext(cancellation: cancellation))
    return Snapshot(
      store.keeping(history.rows.rows).store, indexTitles: complete.indexTitling,
      findings: complete.findings, request: complete.request)
  }

  /// The reason why an object that was removed here is not shown; nil for all other objects.
  public func absence(
    of object: Value, at path: IndexPath, ofChild child: Int
  ) async throws -> String? {
    guard let store = source.state.snapshot?.store else { return nil }
    return try await removedPositions(cancellation: Cancellation())
      .contains(store.position(of: path))
      ? "it was removed here; a fetch restores it" : nil
  }
}

extension Snapshot {
  /// The store if it is local; else a copy that knows the position of each row in the input.
  fileprivate func copyWithInput(_ context: RequestContext) async throws -> LocalStore {
    if let local = store.local { return local }
    let copy = try await localStore(context)
    let positions = try await store.inputPositions(cancellation: context.cancellation)
      .flatMap { $0 }
    var input = [UInt32](repeating: .max, count: (positions.max() ?? -1) + 1)
    for (row, position) in positions.enumerated() where position >= 0 {
      input[position] = UInt32(truncatingIfNeeded: row)
    }
    return copy.with(copy.order, copy.sections, input: .rows(input))
  }
}
