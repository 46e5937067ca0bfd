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
  var starts = [0]
  switch order {
  case .natural(let count):
    guard count > 0 else { return starts }
    var last = number(0)
    for position in 1..<max(1, count) {
      let next = number(position)
      if next != last { starts.append(position) }
      last = next
    }
  case .rows(let rows):
    rows.withUnsafeBufferPointer { rows in
      guard !rows.isEmpty else { return }
      var last = number(Int(rows[0]))
      for position in 1..<max(1, rows.count) {
        let next = number(Int(rows[position]))
        if next != last { starts.append(position) }
        last = next
      }
    }
  }
  if order.count > 0 { starts.append(order.count) }
  return starts
}
