extension RowCodes {
  /// How many rows have each code, of which there are so many.
  ///
  /// - Complexity: O(rows + distinct).
  func counts(of distinct: Int) -> [Int] {
    switch self {
    case .narrow(let codes): Self.counts(codes, distinct)
    case .wide(let codes): Self.counts(codes, distinct)
    case .natural(let count): [Int](repeating: 1, count: count)
    }
  }

  private static func counts<Code: FixedWidthInteger>(_ codes: [Code], _ distinct: Int) -> [Int] {
    let parts = WorkerSlots<[Int]>(Parallel.parts(of: codes.count))
    codes.withUnsafeBufferPointer { codes in
      Parallel.forEachPart(of: codes.count) { part, rows in
        var counts = [Int](repeating: 0, count: distinct)
        counts.withUnsafeMutableBufferPointer { counts in
          for row in rows { counts[Int(codes[row])] &+= 1 }
        }
        parts[part] = counts
      }
    }
    var total = parts[0] ?? []
    for part in 1..<Parallel.parts(of: codes.count) {
      for (code, count) in (parts[part] ?? []).enumerated() { total[code] += count }
    }
    return total
  }
}
