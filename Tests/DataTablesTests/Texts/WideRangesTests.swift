import Testing

@testable import DataTables

struct WideRangesTests {
  @Test func theRangesAreSortedAndDisjoint() {
    for (left, right) in zip(WideRanges.all, WideRanges.all.dropFirst()) {
      #expect(left.first <= left.last && left.last + 1 < right.first)
    }
  }

  @Test func theSearchAgreesWithALinearSearch() throws {
    for value in UInt32(0)..<0x31000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isWide = WideRanges.all.contains { $0.first <= value && value <= $0.last }
      try #require(WideRanges.contains(scalar) == isWide)
    }
  }
}
