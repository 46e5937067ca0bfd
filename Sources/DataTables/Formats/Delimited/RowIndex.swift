/// Where the rows of a delimited text begin: the place of every 16th is remembered, and of all of them
/// mostly the lengths.
///
/// The text is cut into stretches that are scanned at the same time. Where a stretch's first row
/// begins is guessed; a guess is taken only when the stretch before ends exactly there.
struct RowIndex: Sendable {
  /// Rows of a stretch of the text.
  struct Stretch: Sendable {
    /// From the first row's first byte to behind the last row.
    var range: Range<Int>
    /// The number of its first row.
    var firstRow = 0
    var count = 0
    /// Relative to the range, of rows 0, 16, 32 … of the stretch.
    var anchors: [UInt32] = []
    /// The bytes of each row, where they lie one behind the other and none is longer than a number of
    /// 16 bits tells: who decodes columns need not look for the ends of rows again. Else empty.
    var lengths: [UInt16] = []
    var findings = RowScanner.Findings()
  }

  static let spacing = 16

  let stretches: [Stretch]
  let count: Int
  /// Whether every stretch began where it was guessed to.
  let areGuessesRight: Bool

  /// Scans the rows of `store` from `start` on.
  ///
  /// - Parameter pass: takes the rows of all stretches, in vain where a guess is wrong.
  /// - Throws: ``TableError/encoding(expected:offset:fitting:)``, ``TableError/limit(_:setting:at:)``,
  ///   ``TableError/cancelled``, and what the store throws.
  init(
    _ store: any ByteStore, from start: Int, dialect: Dialect, columns: Int, limits: ReadLimits,
    sizes: ScanSizes = ScanSizes(), decoding pass: ColumnPass? = nil, cancellation: Cancellation
  ) throws {
    let search = RowSearch(
      store: store, start: start, dialect: dialect, columns: columns, limits: limits, sizes: sizes,
      pass: pass, cancellation: cancellation)
    let found = try search.guessedStretches()
    (stretches, areGuessesRight) = try search.joined(found)
    count = stretches.reduce(0) { $0 + $1.count }
  }

  /// The neighbours that are found from one anchor. O(log stretches).
  func group(of row: Int) -> (range: Range<Int>, rows: Range<Int>) {
    var low = 0
    var high = stretches.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if stretches[middle].firstRow <= row { low = middle } else { high = middle }
    }
    return stretches[low].group(of: row)
  }
}

extension ByteStore {
  /// A copy of some bytes, cut at the end of the store.
  func bytes(_ range: Range<Int>) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      count = try read(at: range.lowerBound, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }
}
