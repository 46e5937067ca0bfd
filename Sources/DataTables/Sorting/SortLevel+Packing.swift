extension SortLevel {
  /// Puts the level behind what the numbers of the rows at `range` hold already; the first number
  /// is that of the first position in the range.
  @inline(__always)
  func add<Number: FixedWidthInteger>(
    _ order: RowOrder, _ range: Range<Int>, to numbers: UnsafeMutablePointer<Number>,
    isFirst: Bool
  ) {
    switch self {
    case .keys(let keys, let folding):
      keys.withUnsafeBufferPointer { keys in
        Self.fill(order, range, numbers) { row, _ in
          Number(truncatingIfNeeded: folding(keys[row]))
        }
      }
    case .ranks(let codes, let ranks, let count):
      ranks.withUnsafeBufferPointer { ranks in
        switch codes {
        case .narrow(let codes):
          Self.rank(order, range, numbers, codes, ranks, isFirst ? 0 : Number(count))
        case .wide(let codes):
          Self.rank(order, range, numbers, codes, ranks, isFirst ? 0 : Number(count))
        case .natural:
          Self.rankRows(order, range, numbers, ranks, isFirst ? 0 : Number(count))
        }
      }
    }
  }

  @inline(__always)
  private static func rankRows<Number: FixedWidthInteger>(
    _ order: RowOrder, _ range: Range<Int>, _ numbers: UnsafeMutablePointer<Number>,
    _ ranks: UnsafeBufferPointer<UInt32>, _ factor: Number
  ) {
    // Where nothing is there yet, the numbers are not initialized: they must not be read.
    if factor == 0 {
      fill(order, range, numbers) { row, _ in Number(truncatingIfNeeded: ranks[row]) }
    } else {
      fill(order, range, numbers) { row, number in
        number &* factor &+ Number(truncatingIfNeeded: ranks[row])
      }
    }
  }

  @inline(__always)
  private static func rank<Number: FixedWidthInteger, Code: FixedWidthInteger>(
    _ order: RowOrder, _ range: Range<Int>, _ numbers: UnsafeMutablePointer<Number>,
    _ codes: [Code], _ ranks: UnsafeBufferPointer<UInt32>, _ factor: Number
  ) {
    codes.withUnsafeBufferPointer { codes in
      if factor == 0 {
        fill(order, range, numbers) { row, _ in
          Number(truncatingIfNeeded: ranks[Int(codes[row])])
        }
      } else {
        fill(order, range, numbers) { row, number in
          number &* factor &+ Number(truncatingIfNeeded: ranks[Int(codes[row])])
        }
      }
    }
  }

  // The closure is inlined away: there is a loop for every case, and no call a row.
  @inline(__always)
  private static func fill<Number: FixedWidthInteger>(
    _ order: RowOrder, _ range: Range<Int>, _ numbers: UnsafeMutablePointer<Number>,
    _ number: (_ row: Int, _ before: Number) -> Number
  ) {
    order.forEachRow(at: range) { index, row in
      numbers[index] = number(Int(row), numbers[index])
    }
  }
}
