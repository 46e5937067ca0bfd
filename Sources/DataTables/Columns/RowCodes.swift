/// One small number per row: the index of its value among the distinct values of a column.
public enum RowCodes: Sendable {
  case narrow([UInt16])
  case wide([UInt32])
  /// The code of each row is the number of the row. The associated value is the number of rows.
  case natural(Int)

  /// The narrowest form that the number of distinct values allows.
  init(_ codes: [UInt32], distinct: Int) {
    self =
      distinct <= 1 << 16 ? .narrow(codes.map { UInt16(truncatingIfNeeded: $0) }) : .wide(codes)
  }

  public var count: Int {
    switch self {
    case .narrow(let codes): codes.count
    case .wide(let codes): codes.count
    case .natural(let count): count
    }
  }

  public subscript(row: Int) -> Int {
    switch self {
    case .narrow(let codes): Int(codes[row])
    case .wide(let codes): Int(codes[row])
    case .natural: row
    }
  }
}

extension RowCodes {
  /// Replaces each code `c` with `mapping[c]`.
  func composed(with mapping: RowCodes, distinct: Int) -> RowCodes {
    if case .natural = self { return mapping }
    if case .natural = mapping { return self }
    return mapped(by: (0..<mapping.count).map { UInt32(mapping[$0]) }, distinct: distinct)
  }

  /// Replaces each code `c` with `codes[c]`.
  func mapped(by codes: [UInt32], distinct: Int) -> RowCodes {
    let isNarrow = distinct <= 1 << 16
    return switch self {
    case .narrow(let old) where isNarrow: .narrow(Self.mapped(old) { UInt16(codes[$0]) })
    case .narrow(let old): .wide(Self.mapped(old) { codes[$0] })
    case .wide(let old) where isNarrow: .narrow(Self.mapped(old) { UInt16(codes[$0]) })
    case .wide(let old): .wide(Self.mapped(old) { codes[$0] })
    case .natural: RowCodes(codes, distinct: distinct)
    }
  }

  /// For each row, its code, or the number that `numbers` has for the code.
  /// - Complexity: O(rows), on all processors; O(1) for codes of 32 bits without numbers.
  func wide(_ numbers: [UInt32]?) -> [UInt32] {
    switch (self, numbers) {
    case (.narrow(let codes), nil): Self.mapped(codes) { UInt32(truncatingIfNeeded: $0) }
    case (.narrow(let codes), let numbers?): Self.mapped(codes) { numbers[$0] }
    case (.wide(let codes), nil): codes
    case (.wide(let codes), let numbers?): Self.mapped(codes) { numbers[$0] }
    case (.natural(let count), nil): (0..<count).map { UInt32(truncatingIfNeeded: $0) }
    case (.natural, let numbers?): numbers
    }
  }

  @inline(__always)
  private static func mapped<Old: FixedWidthInteger, New>(
    _ old: [Old], _ new: (Int) -> New
  ) -> [New] {
    [New](unsafeUninitializedCapacity: old.count) { buffer, count in
      let target = buffer
      LargePages.advise(target)
      Parallel.forEachPart(of: old.count) { _, rows in
        for row in rows { target.initializeElement(at: row, to: new(Int(old[row]))) }
      }
      count = old.count
    }
  }
}

extension RowCodes {
  /// The number of rows with each code in `0..<distinct`.
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
