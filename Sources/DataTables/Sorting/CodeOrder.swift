/// The distinct values of a column in ascending order, by their codes.
struct CodeOrder {
  /// Of values that compare the same the lower code stands first. Nulls are left out.
  var codes: [UInt32]
  /// The positions in `codes`, ascending, whose value compares the same as the one before.
  var repeats: [Int]

  /// One rank a value, the same for those that compare the same; ``ValueRanks/null`` for those that
  /// are not in the order.
  func ranks(of count: Int) -> (ranks: [UInt32], count: Int) {
    var ranks = [UInt32](repeating: ValueRanks.null, count: count)
    var rank: UInt32 = 0
    var next = 0
    for (position, code) in codes.enumerated() {
      if next < repeats.count, repeats[next] == position {
        next += 1
      } else if position > 0 {
        rank += 1
      }
      ranks[Int(code)] = rank
    }
    return (ranks, codes.isEmpty ? 0 : Int(rank) + 1)
  }

  /// Orders what compares the same by something else.
  /// - Parameter sort: sorts some codes and tells the positions that still repeat the one before.
  mutating func refine(
    _ sort: (inout ArraySlice<UInt32>) throws -> [Int]
  ) rethrows {
    var remaining: [Int] = []
    var index = 0
    while index < repeats.count {
      let first = repeats[index] - 1
      var end = first + 1
      while index < repeats.count, repeats[index] == end {
        end += 1
        index += 1
      }
      remaining += try sort(&codes[first..<end])
    }
    repeats = remaining
  }
}
