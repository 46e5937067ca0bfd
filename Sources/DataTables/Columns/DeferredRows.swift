import Synchronization

/// Rows whose order is computed when a row is first read by its position.
///
/// Counting rows, sections and values needs only the set of the rows, so that many questions are
/// answered without the order.
public final class DeferredRows: Sendable {
  /// How the order is computed. Its rows are all in memory, and computing it cannot fail.
  enum Rule: Sendable {
    case ascending(RankedMask)
    case sorted([SortLevel], RowOrder)
    case placed(RowPlacement)
  }
  let rule: Rule
  public let count: Int

  /// More rows take about a second: they are put in order where progress is shown and the command can
  /// be cancelled.
  static let maxCount = 1 << 23

  private let isFound = Atomic<Bool>(false)
  private let finding = Mutex<Void>(())
  /// Written once, before ``isFound``, and then only read.
  nonisolated(unsafe) private var found: [UInt32] = []

  init(_ rule: Rule) {
    self.rule = rule
    count =
      switch rule {
      case .ascending(let mask): mask.count
      case .sorted(_, let order): order.count
      case .placed(let placement): placement.order.count
      }
  }

  /// The rows, in their order.
  /// - Complexity: O(1) after the first call, which takes as long as the sort.
  package var list: [UInt32] {
    if isFound.load(ordering: .acquiring) { return found }
    finding.withLock { _ in
      if isFound.load(ordering: .relaxed) { return }
      found = computed()
      isFound.store(true, ordering: .releasing)
    }
    return found
  }

  /// The rows, which are not kept if this is the first call.
  var listOnce: [UInt32] { isFound.load(ordering: .acquiring) ? found : computed() }

  private func computed() -> [UInt32] {
    switch rule {
    case .ascending(let mask): mask.listed()
    case .sorted(let levels, let order):
      order.computedOnce.sorted(by: levels) {}.order.listed()
    case .placed(let placement): placement.listed()
    }
  }

  /// The rows of the mask; nil in another order than ascending.
  var mask: RankedMask? {
    if case .ascending(let mask) = rule { mask } else { nil }
  }

  /// The same rows in an order that is known; nil if this order is known.
  var knownRows: RowOrder? {
    if isFound.load(ordering: .acquiring) { return nil }
    switch rule {
    case .ascending: return nil
    case .sorted(_, let order): return order.knownRows ?? order
    case .placed(let placement): return placement.order.knownRows ?? placement.order
    }
  }
}

extension RowOrder {
  /// The row numbers, in order; nil for all rows in the order of the table.
  package var list: [UInt32]? {
    switch self {
    case .natural: nil
    case .rows(let rows): rows
    case .deferred(let rows): rows.list
    }
  }

  /// The order with a list of its rows, for loops that read rows by their positions.
  package var withList: RowOrder {
    if case .deferred(let rows) = self { .rows(rows.list) } else { self }
  }

  /// The order, computed now unless it is that of a mask: loops on several threads would wait for the
  /// one that computes it.
  var computed: RowOrder { ascendingBound == nil ? withList : self }

  /// Like ``computed``, but an order that was not needed before is not kept in memory.
  var computedOnce: RowOrder {
    if case .deferred(let rows) = self, ascendingBound == nil { .rows(rows.listOnce) } else { self }
  }

  /// The row at each position.
  func listed() -> [UInt32] {
    list ?? (0..<count).map { UInt32(truncatingIfNeeded: $0) }
  }

  /// The same rows in an order that is known; nil if this order is known.
  var knownRows: RowOrder? {
    if case .deferred(let rows) = self { rows.knownRows } else { nil }
  }

  /// The buckets into which the rows are sorted; nil for rows in another order.
  var placement: RowPlacement? {
    if case .deferred(let rows) = self, case .placed(let placement) = rows.rule {
      placement
    } else {
      nil
    }
  }

  /// The rows of a mask, ascending, in the form that needs the least memory.
  init(_ mask: RowMask) {
    let rows = RankedMask(mask)
    let listSize = rows.count * MemoryLayout<UInt32>.size
    if rows.count == mask.count {
      self = .natural(rows.count)
    } else if listSize <= mask.words.count * MemoryLayout<UInt64>.size {
      self = .rows(rows.listed())
    } else {
      self = .deferred(DeferredRows(.ascending(rows)))
    }
  }

  /// A number greater than every row, if the rows are known to ascend; nil otherwise.
  var ascendingBound: Int? {
    switch self {
    case .natural(let count): count
    case .rows: nil
    case .deferred(let rows): rows.mask?.mask.count
    }
  }
}
