extension RowCodes {
  /// The positions at which the group of the code differs from the one before, and the end.
  func starts(in order: RowOrder, groups: [UInt32]?) -> [Int] {
    switch self {
    case .narrow(let codes): Self.starts(of: codes, in: order, groups: groups)
    case .wide(let codes): Self.starts(of: codes, in: order, groups: groups)
    case .natural:
      groups.map { groups in runStarts(in: order) { groups[$0] } }
        ?? Array(0...order.count)
    }
  }

  /// As ``starts(in:groups:)``, where the code is the same between the positions `candidates`.
  func starts(in order: RowOrder, of candidates: [Int], groups: [UInt32]?) -> [Int] {
    var starts: [Int] = []
    var last = -1
    for position in candidates {
      let code = self[order[position]]
      let group = groups.map { Int($0[code]) } ?? code
      if group != last { starts.append(position) }
      last = group
    }
    return starts + [order.count]
  }

  func codes(at rows: [Int]) -> [Int] {
    switch self {
    case .narrow(let codes): rows.map { Int(codes[$0]) }
    case .wide(let codes): rows.map { Int(codes[$0]) }
    case .natural: rows
    }
  }

  @inline(__always)
  private static func starts<Code: FixedWidthInteger>(
    of codes: [Code], in order: RowOrder, groups: [UInt32]?
  ) -> [Int] {
    codes.withUnsafeBufferPointer { codes in
      guard let groups else { return runStarts(in: order) { codes[$0] } }
      return groups.withUnsafeBufferPointer { groups in
        runStarts(in: order) { groups[Int(codes[$0])] }
      }
    }
  }
}

/// The positions in `order` at which the number of the row differs from the one before, and the
/// end; `[0]` without rows.
@inline(__always)
func runStarts<Number: Equatable>(in order: RowOrder, number: (_ row: Int) -> Number) -> [Int] {
  guard order.count > 0 else { return [0] }
  let found = WorkerSlots<[Int]>(Parallel.parts(of: order.count))
  Parallel.forEachPart(of: order.count) { part, positions in
    var starts = positions.lowerBound == 0 ? [0] : []
    // The first position of a part is held against the last one of the part before.
    var last = number(order[max(0, positions.lowerBound - 1)])
    order.forEachRow(at: positions) { index, row in
      let next = number(Int(row))
      if next != last { starts.append(positions.lowerBound + index) }
      last = next
    }
    found[part] = starts
  }
  return (0..<Parallel.parts(of: order.count)).flatMap { found[$0] ?? [] } + [order.count]
}
