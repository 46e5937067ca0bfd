/// The elements under a key path of some rows, counted in one pass.
///
/// The elements of an array are its values; null has none, and any other value is its own only
/// element.
struct UnrolledElements {
  /// The number of elements before each position of the order, then the number of all elements:
  /// `positions + 1` ascending numbers. With `keepsEmpty`, a row without elements counts as one.
  private(set) var starts = [0]
  private(set) var rowsWithoutElements = 0
  /// The keys of the elements that are records, in the order of their first appearance.
  private(set) var keys: [String] = []
  private(set) var hasRecords = false
  private(set) var hasOthers = false
  private(set) var hasArrays = false
  /// Whether all elements that are records have all ``keys``.
  var hasUniformRecords: Bool { fewestKeys == keys.count }

  private var known: Set<String> = []
  private var last: Record.Shape?
  private var fewestKeys = Int.max

  /// More rows than this would need several GB for each of their columns.
  static let maxRows = 1 << 28

  /// - Throws: ``TableError/limit(_:setting:at:)`` for more than ``maxRows`` elements.
  init(
    _ column: KeyColumn, _ order: RowOrder, keepsEmpty: Bool, cancellation: Cancellation
  ) throws {
    starts.reserveCapacity(order.count + 1)
    var counts: [Int] = []
    if case .coded(_, let values) = column {
      counts = [Int](repeating: -1, count: values.count)
    }
    var total = 0
    for position in 0..<order.count {
      if position & 0xFFF == 0 { try cancellation.check() }
      let row = order[position]
      let count: Int
      switch column {
      case .keyed(let column):
        count = column.keys[row] == NumericColumn.null ? 0 : 1
        if count > 0 { hasOthers = true }
      case .coded(let codes, let values):
        let code = codes[row]
        if counts[code] < 0 { counts[code] = add(values[code]) }
        count = counts[code]
      }
      if count == 0 { rowsWithoutElements += 1 }
      total += count == 0 && keepsEmpty ? 1 : count
      guard total <= Self.maxRows else {
        throw TableError.limit(
          "unrolling makes more than \(Self.maxRows.grouped) rows", setting: "", at: nil)
      }
      starts.append(total)
    }
  }

  private mutating func add(_ value: Value) -> Int {
    switch value {
    case .null: return 0
    case .array(let elements):
      hasArrays = true
      for element in elements { add(element: element) }
      return elements.count
    default:
      add(element: value)
      return 1
    }
  }

  private mutating func add(element: Value) {
    guard case .record(let record) = element else {
      hasOthers = true
      return
    }
    hasRecords = true
    // Neighboring records mostly share their shape.
    if let last, last.storage === record.shape.storage { return }
    last = record.shape
    fewestKeys = min(fewestKeys, record.count)
    for key in record.keys where known.insert(key).inserted { keys.append(key) }
  }
}

extension Value {
  /// The elements of an array; null has none, and any other value counts as an array of one element.
  package var elements: [Value] {
    switch self {
    case .null: []
    case .array(let elements): elements
    default: [self]
    }
  }
}
