import Synchronization

/// Numbers or dates as one 64-bit key per row. Keys ascend as the values do.
public struct NumericColumn: Sendable {
  public enum Kind: Sendable { case integer, real, date }
  public let kind: Kind
  /// `UInt64.max` is the key of null.
  public let keys: NumericKeys

  init(kind: Kind, keys: NumericKeys) {
    self.kind = kind
    self.keys = keys
  }

  init(kind: Kind, keys: some Collection<UInt64>) {
    self.init(kind: kind, keys: NumericKeys(keys))
  }
}

extension NumericColumn {
  /// The grid on which the values lie; nil if there is none.
  /// - Complexity: O(rows) the first time.
  var grid: KeyGrid? {
    keys.facts.grid.withLock { known -> KeyGrid? in
      if let known { return known }
      let found = KeyGrid(self)
      known = .some(found)
      return found
    }
  }
}

extension NumericColumn.Kind {
  /// nil for a type whose values do not have order-preserving keys.
  init?(_ type: ColumnType) {
    switch type {
    case .integer: self = .integer
    case .real: self = .real
    case .date: self = .date
    case .bool, .string, .value: return nil
    }
  }

  var type: ColumnType {
    switch self {
    case .integer: .integer
    case .real: .real
    case .date: .date
    }
  }
}

extension NumericColumn {
  /// The key of null.
  static let null = UInt64.max

  /// Ascends with the integer; nil for the greatest integer, whose key would equal ``null``.
  static func key(_ integer: Int) -> UInt64? {
    integer == .max ? nil : UInt64(bitPattern: Int64(integer)) ^ (1 << 63)
  }

  /// Ascends with the number; 0 and -0 have the same key. The key of NaN is the greatest except for
  /// ``null``.
  static func key(_ double: Double) -> UInt64 {
    // Adding 0 turns -0 into 0.
    let bits = (double + 0).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  /// Ascends with the number; nil for a finite number that is too large for a double.
  static func key(_ real: Real) -> UInt64? {
    real.value.isFinite || !real.isFinite ? key(real.value) : nil
  }

  /// The integer, or the ticks of the date (``Moment/ticks``), of a key other than ``null``.
  static func integer(_ key: UInt64) -> Int { Int(Int64(bitPattern: key ^ (1 << 63))) }

  static func double(_ key: UInt64) -> Double {
    Double(bitPattern: key >> 63 == 1 ? key & ~(1 << 63) : ~key)
  }
}

extension NumericColumn {
  /// The key of the rows whose value equals `value`; nil if no row can have an equal value.
  func key(of value: Value) -> UInt64? {
    switch (kind, value) {
    case (_, .null): Self.null
    case (.integer, .integer(let integer)): Self.key(integer)
    case (.integer, .real(let real)):
      Int(exactly: real.value).flatMap { .integer($0) == value ? Self.key($0) : nil }
    case (.real, .integer(let integer)): Self.key(Double(integer))
    case (.real, .real(let real)): Self.key(real)
    case (.date, .date(let date)): date.moment.ticks.flatMap(Self.key)
    default: nil
    }
  }

  /// The value that a key encodes: an integer, a double with its shortest text, or a date with a
  /// time in GMT. The key ``null`` encodes null.
  func value(of key: UInt64) -> Value {
    guard key != Self.null else { return .null }
    switch kind {
    case .integer: return .integer(Self.integer(key))
    case .real: return .real(Real(Self.double(key)))
    case .date:
      let ticks = Self.integer(key)
      let seconds = Gregorian.floorDivide(ticks, 10_000_000)
      let moment = Moment(
        seconds: seconds, nanoseconds: (ticks - seconds * 10_000_000) * 100, offset: 0,
        hasTime: true)
      return .date(Timestamp(moment, text: moment.isoText))
    }
  }
}

/// The keys of a numeric column, one per row.
///
/// Stored outside of an array, because several threads fill the memory simultaneously, each with
/// the rows that it reads.
public struct NumericKeys: RandomAccessCollection, Sendable {
  private let memory: NumericKeyMemory

  init(_ memory: NumericKeyMemory) { self.memory = memory }

  init(_ keys: some Collection<UInt64>) {
    memory = NumericKeyMemory(rows: keys.count)
    _ = memory.keys.initialize(fromContentsOf: keys)
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { memory.keys.count }

  /// Facts about the keys that were asked for.
  fileprivate var facts: KeyFacts { memory.facts }

  public subscript(row: Int) -> UInt64 {
    precondition(row >= 0 && row < memory.keys.count, "row out of range")
    return memory.keys[row]
  }

  func withUnsafeBufferPointer<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt64>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeBufferPointer(memory.keys))
  }

  public func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<UInt64>) throws -> Result
  ) rethrows -> Result? {
    try body(UnsafeBufferPointer(memory.keys))
  }
}

extension NumericKeys {
  /// Whether each key is greater than the previous one, as the keys of record numbers often are.
  /// - Complexity: O(rows) on all processors the first time; O(1) if some of the first keys are not.
  var areStrictlyAscending: Bool {
    facts.areAscending.withLock { known in
      let found = known ?? ascend()
      known = found
      return found
    }
  }

  /// The least key, the greatest key and the number of nulls.
  /// - Complexity: O(rows) on all processors the first time.
  var extent: KeyExtent {
    facts.extent.withLock { known in
      let found = known ?? KeyExtent(self)
      known = found
      return found
    }
  }

  private func ascend() -> Bool {
    withUnsafeBufferPointer { keys in
      func ascend(_ rows: Range<Int>) -> Bool { rows.allSatisfy { keys[$0] < keys[$0 + 1] } }
      let last = Swift.max(0, count - 1)
      guard ascend(0..<Swift.min(last, 1_000)) else { return false }
      let found = WorkerSlots<Bool>(Parallel.parts(of: last))
      Parallel.forEachPart(of: last) { part, rows in found[part] = ascend(rows) }
      return (0..<Parallel.parts(of: last)).allSatisfy { found[$0] ?? false }
    }
  }
}

/// Memory for the keys of a column.
///
/// Unchecked `Sendable` is safe: while the memory is filled, one thread writes each row, and keys
/// are read only after all threads are joined.
final class NumericKeyMemory: @unchecked Sendable {
  let keys: UnsafeMutableBufferPointer<UInt64>
  let facts = KeyFacts()

  init(rows: Int) { keys = LargePages.allocate(UInt64.self, capacity: rows) }

  deinit { keys.deallocate() }
}

/// Facts about all keys of a column, each found when it is first needed.
///
/// Locks are held while a fact is found: other threads that need it wait.
final class KeyFacts: Sendable {
  let areAscending = Mutex<Bool?>(nil)
  let extent = Mutex<KeyExtent?>(nil)
  let grid = Mutex<KeyGrid??>(nil)
}
