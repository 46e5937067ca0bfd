extension SortLevel {
  /// Puts the level behind what the numbers of the rows hold already.
  @inline(__always)
  func add<Number: FixedWidthInteger>(
    _ order: RowOrder, _ range: Range<Int>, to numbers: UnsafeMutableBufferPointer<Number>,
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
    _ order: RowOrder, _ range: Range<Int>, _ numbers: UnsafeMutableBufferPointer<Number>,
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
    _ order: RowOrder, _ range: Range<Int>, _ numbers: UnsafeMutableBufferPointer<Number>,
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
    _ order: RowOrder, _ range: Range<Int>, _ numbers: UnsafeMutableBufferPointer<Number>,
    _ number: (_ row: Int, _ before: Number) -> Number
  ) {
    switch order {
    case .natural:
      for position in range { numbers[position] = number(position, numbers[position]) }
    case .rows(let rows):
      rows.withUnsafeBufferPointer { rows in
        for position in range {
          numbers[position] = number(Int(rows[position]), numbers[position])
        }
      }
    }
  }
}
