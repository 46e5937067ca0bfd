import DataSources
import DataTables
import Synchronization

/// Positions in the order of rows, at about equal distances, from which pages deep in a section are
/// read: an engine counts the rows that OFFSET leaves out one by one.
///
/// Where the engine reads the order from an index, it goes from each anchor to the next one, as far as
/// the page; this costs as much as the OFFSET that it replaces. Otherwise it would sort the rows for
/// each page: one statement numbers all of them.
final class RowAnchors: Sendable {
  private struct State {
    var anchors: [Int: [RowStart]] = [:]
    /// The sections with anchors, the one that was read last at the end.
    var recent: [Int] = []
    /// Whether the engine reads the order from an index, for places without a condition and for those
    /// with one.
    var usesIndex: [Bool: Bool] = [:]
  }

  private let table: DatabaseTable
  private let selection: RowSelection
  /// The number of rows between two anchors. Pages before the first one are read without anchors.
  let distance: Int
  private let state = Mutex(State())

  /// The maximum number of anchors of all sections; a larger section has them at larger distances.
  private static let maxCount = 10_000
  /// Numbering the rows sorts all of them. A page within the first or the last eighth is read without
  /// it: the engine then sorts only the rows up to the page.
  private static let minSortedPart = 8

  init(_ table: DatabaseTable, _ selection: RowSelection) {
    self.table = table
    self.selection = selection
    distance = max(2, StoreLimits.anchorDistance)
  }

  /// The last anchor at or before a position; nil if the rows before it are few enough to be counted.
  func last(
    before position: Int, in place: RowPages.Place, _ journal: StoreJournal,
    _ cancellation: Cancellation
  ) async throws -> RowStart? {
    guard position >= distance, !UnobservedReads.areRunning else { return nil }
    let total = place.end
    let step = max(distance, total / (Self.maxCount / 2))
    let known = last(before: position, of: place.section)
    if let known, position - known.position < step { return known }
    if total - position <= distance, place.isReversible(in: selection) { return nil }
    if try await usesIndex(place, step, cancellation) {
      return try await advance(from: known, to: position, step, place, journal, cancellation)
    }
    guard known == nil, !isKnown(place.section),
      min(position, total - position) > total / Self.minSortedPart
    else { return known }
    do {
      let all = try await numbered(place, step, journal, cancellation)
      keep(all, of: place.section)
      return all.last { $0.position <= position }
    } catch let error as DatabaseError where error.kind == .engine {
      // The engine may lack the memory to number all rows, and still read the page.
      journal.assume("pages are counted from the start of their section: \(error.message)")
      keep([], of: place.section)
      return nil
    }
  }

  private func last(before position: Int, of section: Int) -> RowStart? {
    state.withLock { state in
      guard let anchors = state.anchors[section] else { return nil }
      if state.recent.last != section {
        state.recent.removeAll { $0 == section }
        state.recent.append(section)
      }
      return anchors.last { $0.position <= position }
    }
  }

  private func isKnown(_ section: Int) -> Bool {
    state.withLock { $0.anchors[section] != nil }
  }

  /// Keeps the anchors of a section, and those of other sections as long as they are few.
  private func keep(_ anchors: [RowStart], of section: Int) {
    state.withLock { state in
      state.anchors[section] = anchors
      state.recent.removeAll { $0 == section }
      state.recent.append(section)
      var count = state.anchors.values.reduce(0) { $0 + $1.count }
      while count > Self.maxCount, state.recent.count > 1 {
        count -= state.anchors.removeValue(forKey: state.recent.removeFirst())?.count ?? 0
      }
    }
  }

  // MARK: From anchor to anchor

  private func usesIndex(
    _ place: RowPages.Place, _ step: Int, _ cancellation: Cancellation
  ) async throws -> Bool {
    // Otherwise each step would read the index from its start.
    guard selection.order.areBounded(after: place.fixedTerms) else { return false }
    let hasCondition = place.condition != nil
    if let known = state.withLock({ $0.usesIndex[hasCondition] }) { return known }
    guard let prefix = table.dialect.planPrefix else { return false }
    let text = table.database.text(of: next(after: nil, step, place))
    let plan = try await table.snapshot.rows(SQL(prefix + text), cancellation: cancellation)
    let usesIndex = !table.dialect.sortsAll(plan: plan.rows.compactMap { $0.last?.string })
    state.withLock { $0.usesIndex[hasCondition] = usesIndex }
    return usesIndex
  }

  /// Goes on from the last anchor up to a position.
  private func advance(
    from known: RowStart?, to position: Int, _ step: Int, _ place: RowPages.Place,
    _ journal: StoreJournal, _ cancellation: Cancellation
  ) async throws -> RowStart? {
    var last = known
    var anchors = state.withLock { $0.anchors[place.section] ?? [] }
      .filter { $0.position <= known?.position ?? 0 }
    defer { keep(anchors, of: place.section) }
    while case let start = last?.position ?? 0, position - start >= step {
      let rows = try await table.rows(next(after: last, step, place), journal, cancellation)
      // Fewer rows than were counted: the page is read without anchors, which reports the change.
      guard let anchor = anchor(rows[...], at: start + step) else { break }
      anchors.append(anchor)
      last = anchor
    }
    return last
  }

  /// The row that is `step` rows after an anchor, and one more if rows may be equal.
  private func next(after anchor: RowStart?, _ step: Int, _ place: RowPages.Place) -> SQL {
    let order = selection.order
    let conditions = [
      place.condition, anchor.map { order.after($0.terms, fixed: place.fixedTerms) },
    ]
    return """
      SELECT \(order.map(\.sql).joined(separator: ", "))\
      \(selection.rows(where: conditions.compactMap { $0 })) \
      ORDER BY \(order.clause(table.dialect, fixed: place.fixedTerms)) \
      \(table.dialect.limit(selection.isUnique ? 1 : 2, offset: step - 1))
      """
  }

  /// The anchor of a row, which is the first one; nil without it, or if the next row equals it.
  private func anchor(_ rows: ArraySlice<[Value]>, at position: Int) -> RowStart? {
    guard let row = rows.first else { return nil }
    let terms = Array(row.prefix(selection.order.count))
    if !selection.isUnique {
      guard let next = rows.dropFirst().first, Array(next.prefix(terms.count)) != terms else {
        return nil
      }
    }
    return RowStart(position: position, terms: terms)
  }

  // MARK: One statement for all

  /// All anchors of a section.
  private func numbered(
    _ place: RowPages.Place, _ step: Int, _ journal: StoreJournal, _ cancellation: Cancellation
  ) async throws -> [RowStart] {
    let dialect = table.dialect
    let names = selection.order.indices.map { SQL(dialect.name("dsshell_term_\($0)")) }
    let number = SQL(dialect.name("dsshell_number"))
    let query = dialect.numbering(
      zip(selection.order, names).map { "\($0.sql) AS \($1)" },
      from: selection.rows(where: place.condition.map { [$0] } ?? []),
      orderedBy: selection.order.clause(dialect, fixed: place.fixedTerms), as: "dsshell_number")
    // The number of the first row after an anchor; the row before it is the anchor's own.
    let first = dialect.firstNumber
    func hasRemainder(_ remainder: Int) -> SQL {
      "\(number) % \(SQL(String(step))) = \(SQL(String(remainder % step)))"
    }
    let last = hasRemainder(step + first - 1)
    let next = hasRemainder(first)
    let statement: SQL = """
      SELECT \(names.joined(separator: ", ")), \(number) FROM (\(query)) AS dsshell_numbered \
      WHERE \(selection.isUnique ? last : "\(last) OR \(next)") ORDER BY \(number)
      """
    let rows = try await table.rows(statement, journal, cancellation)
    return rows.indices.compactMap { index in
      let position = rows[index].count(names.count) - first + 1
      guard position > 0, position.isMultiple(of: step) else { return nil }
      return anchor(rows[index...].prefix(2), at: position)
    }
  }
}
