import Synchronization

/// A way to order rows. It reads columns in memory and cannot fail.
protocol RowRule: Sendable {
  /// The rows, in another order.
  var order: RowOrder { get }

  /// The rows in the order of the rule.
  func listed() -> [UInt32]
}

/// Rows whose order is computed when a row is first read by its position.
///
/// Counting rows, sections and values needs only the set of the rows, so that many questions are
/// answered without the order.
public final class DeferredRows: Sendable {
  /// How the order is computed.
  private enum Form {
    case ascending(RankedMask)
    case ruled(any RowRule)
  }
  private let form: Form
  public let count: Int

  /// More rows take about a second: they are put in order where progress is shown and the command can
  /// be cancelled.
  static let maxCount = 1 << 23

  private let isFound = Atomic<Bool>(false)
  private let finding = Mutex<Void>(())
  /// Written once, before ``isFound``, and then only read.
  nonisolated(unsafe) private var found: [UInt32] = []

  init(_ mask: RankedMask) {
    form = .ascending(mask)
    count = mask.count
  }

  init(_ rule: any RowRule) {
    form = .ruled(rule)
    count = rule.order.count
  }

  /// Whether the order was computed and kept.
  var isKnown: Bool { isFound.load(ordering: .acquiring) }

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
    switch form {
    case .ascending(let mask): mask.listed()
    case .ruled(let rule): rule.listed()
    }
  }

  /// The rows of the mask; nil in another order than ascending.
  var mask: RankedMask? {
    if case .ascending(let mask) = form { mask } else { nil }
  }

  /// The same rows in an order that is known; nil if this order is known.
  var knownRows: RowOrder? {
    guard let rule, !isFound.load(ordering: .acquiring) else { return nil }
    return rule.order.knownRows ?? rule.order
  }

  /// The rule of the order; nil for rows that ascend.
  var rule: (any RowRule)? {
    if case .ruled(let rule) = form { rule } else { nil }
  }
}

extension RowOrder {
  /// The memory for each row of a sort: an entry of 8 bytes, room to move it, and the row number.
  static let bytesPerRow = 20

  /// Checks that the process may use the memory for an order that is not known yet: the functions that
  /// compute it cannot fail.
  /// - Throws: `TableError.limit`.
  package func prepare() throws(TableError) {
    guard case .deferred(let rows) = self, !rows.isKnown else { return }
    try MemoryLimit.check(beforeAllocating: rows.count * Self.bytesPerRow)
  }

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

  /// The rows of a mask, ascending, in the form that needs the least memory.
  init(_ mask: RowMask) {
    let rows = RankedMask(mask)
    let listSize = rows.count * MemoryLayout<UInt32>.size
    if rows.count == mask.count {
      self = .natural(rows.count)
    } else if listSize <= mask.words.count * MemoryLayout<UInt64>.size {
      self = .rows(rows.listed())
    } else {
      self = .deferred(DeferredRows(rows))
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
