/// Entries of 64 bits that hold a number and, in their lowest bits, its row: a sort of them reads
/// nothing else.
struct RowEntries {
  let order: RowOrder
  /// Whether the lowest bits are a row of the table. Otherwise they are a position in the order: rows
  /// with equal numbers keep their order, so that the lowest bits must ascend with it.
  private let holdRows: Bool
  private let rowBits: UInt64
  private let numberBits: UInt64

  /// - Parameter bound: greater than every number.
  /// - Returns: nil if a number and a row do not fit in 64 bits, and for few rows.
  init?(_ order: RowOrder, bound: UInt64) {
    self.order = order
    let ascending = order.ascendingBound
    holdRows = ascending != nil
    rowBits = Self.bits(UInt64(ascending ?? order.count))
    numberBits = Self.bits(bound)
    guard rowBits + numberBits <= 64, order.count > RadixSort.shortCount else { return nil }
  }

  private static func bits(_ bound: UInt64) -> UInt64 {
    UInt64(UInt64.bitWidth - max(1, bound - 1).leadingZeroBitCount)
  }

  /// The rows, sorted by their numbers, and the positions where the quotient of the number and `step`
  /// changes.
  ///
  /// - Parameter fill: writes an entry for each position, with ``write(_:at:to:)``.
  /// - Complexity: O(rows · bits of a number), on all processors; memory: 16 bytes per row.
  func sorted(
    step: UInt64, _ fill: (UnsafeMutableBufferPointer<UInt64>) -> Void
  ) -> (rows: [UInt32], starts: [Int]) {
    var source = LargePages.allocate(UInt64.self, capacity: order.count)
    var target = LargePages.allocate(UInt64.self, capacity: order.count)
    defer {
      source.deallocate()
      target.deallocate()
    }
    fill(source)
    RadixSort.sort(&source, &target, bits: rowBits..<rowBits + numberBits)
    return rows(of: source, step: step)
  }

  /// Writes the entries of consecutive positions.
  @inline(__always)
  func write(
    _ numbers: UnsafeMutablePointer<UInt64>, at positions: Range<Int>,
    to entries: UnsafeMutableBufferPointer<UInt64>
  ) {
    let start = positions.lowerBound
    if holdRows {
      order.forEachRow(at: positions) { index, row in
        entries[start + index] = numbers[index] << rowBits | UInt64(row)
      }
    } else {
      for index in 0..<positions.count {
        entries[start + index] = numbers[index] << rowBits | UInt64(start + index)
      }
    }
  }

  private func rows(
    of entries: UnsafeMutableBufferPointer<UInt64>, step: UInt64
  ) -> (rows: [UInt32], starts: [Int]) {
    let parts = Parallel.parts(of: entries.count)
    let starts = WorkerSlots<[Int]>(parts)
    let list = holdRows ? nil : order.list
    let rowMask = ~(UInt64.max << rowBits)
    let rows = [UInt32](unsafeUninitializedCapacity: entries.count) { result, count in
      // A copy, because concurrent closures cannot capture an `inout` parameter.
      let target = result
      LargePages.advise(target)
      Parallel.forEachPart(of: entries.count) { part, range in
        starts[part] = self.starts(in: range, of: entries, step: step)
        if let list {
          list.withUnsafeBufferPointer { list in
            for position in range { target[position] = list[Int(entries[position] & rowMask)] }
          }
        } else {
          for position in range {
            target[position] = UInt32(truncatingIfNeeded: entries[position] & rowMask)
          }
        }
      }
      count = entries.count
    }
    return (rows, (0..<parts).flatMap { starts[$0] ?? [] })
  }

  private func starts(
    in range: Range<Int>, of entries: UnsafeMutableBufferPointer<UInt64>, step: UInt64
  ) -> [Int] {
    func end(_ position: Int) -> UInt64 { (entries[position] >> rowBits / step + 1) * step }
    var starts: [Int] = []
    // Numbers from here on have another quotient.
    var next = range.lowerBound == 0 ? 0 : end(range.lowerBound - 1)
    for position in range where entries[position] >> rowBits >= next {
      starts.append(position)
      next = end(position)
    }
    return starts
  }
}
