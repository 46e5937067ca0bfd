import TestSupport
import Testing

@testable import DataTables

@Suite struct SortListTests {
  /// The rows by the list, then by the comparison: a slow and obvious version.
  private func expected(_ rows: [Value], _ descriptor: SortDescriptor) -> [Int] {
    func place(_ value: Value) -> Int {
      descriptor.list.firstIndex(of: value) ?? descriptor.list.count
    }
    func isBefore(_ left: Int, _ right: Int) -> Bool {
      let (first, second) = (rows[left], rows[right])
      if first.isNull != second.isNull { return first.isNull == descriptor.putsNullsFirst }
      var order = Ordering(place(first), place(second))
      if order == .same, place(first) == descriptor.list.count { order = first.compare(second) }
      if descriptor.direction == .descending { order = order.reversed }
      return order == .before || order == .same && left < right
    }
    return rows.indices.sorted(by: isBefore)
  }

  @Test(arguments: 0..<40)
  func listedValuesAreFirst(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    var samples = SampleValues(seed: UInt64(seed))
    let words: [Value] =
      [nil, "High", "Low", "e\u{301}", "é", "Medium", "x", 1, "1"]
      + [Value(literal: "1.0")]
    let rows = (0..<[3, 70, 200][seed % 3]).map { _ -> Value in
      switch seed % 4 {
      case 0: random.one(of: words.filter { $0.isNull || $0.type == .string })
      case 1: random.one(of: [nil, 1, 2, 3, 10, -5])
      case 2: samples.value()
      default: random.one(of: words)
      }
    }
    let lists: [[Value]] = [
      ["Low", "High"], [10, 1], ["é", 1, "Medium", "absent"], rows.filter { !$0.isNull },
    ]
    for list in lists where !list.isEmpty {
      var distinct: [Value] = []
      for value in list where !distinct.contains(value) { distinct.append(value) }
      for direction in SortDescriptor.Direction.allCases {
        for nulls in [nil, SortDescriptor.Nulls.first, .last] {
          let descriptor = SortDescriptor(
            ObjectKeyPath([]), in: distinct, direction: direction, nulls: nulls)
          let sorted = try ValueTable(rows).sorted(.natural(rows.count), by: [descriptor])
          let found = (0..<rows.count).map { sorted[$0] }
          #expect(found == expected(rows, descriptor), "seed \(seed): \(descriptor)")
        }
      }
    }
  }

  @Test func aDescriptorIsPrintedAsTyped() {
    let date = Value(literal: "2012-11-01")
    let descriptor = SortDescriptor(
      ObjectKeyPath(key: "size"), in: ["S", "M L", 3, date], direction: .descending)
    #expect("\(descriptor)" == "size in [\"S\", \"M L\", 3, 2012-11-01] desc")
  }
}
