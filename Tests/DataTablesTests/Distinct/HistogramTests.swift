import TestSupport
import Testing

@testable import DataTables

@Suite struct HistogramTests {
  private func histogram(_ values: [Value], limit: Int = 20) throws -> Histogram? {
    let table = ValueTable(values.map { ["v": $0] })
    let column = try table.column(ObjectKeyPath(key: "v"), cancellation: Cancellation())
    return try Histogram(
      of: column, in: .natural(values.count), limit: limit, cancellation: Cancellation())
  }

  private func date(_ text: String) throws -> Value { .date(try #require(Timestamp(iso: text))) }

  @Test(arguments: 1...40)
  func everyNumberIsInTheRangeOfItsLabel(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let size = [0.001, 1, 700, 1e9, 1e-12, 1e200][random.below(6)]
    let isWhole = seed % 3 == 0
    let numbers = (0..<random.below(300) + 1).map { _ in
      isWhole ? Double(random.below(5_000) - 2_000) : (Double(random.below(10_000)) - 4_000) * size
    }
    let limit = 4 + random.below(30)
    let values = numbers.map { DecimalSum.value(of: $0) }
    let found = try #require(try histogram(values + [.null], limit: limit))
    #expect(found.nulls == 1 && found.others == 0)
    #expect(found.ranges.count <= limit)
    for range in found.ranges {
      let bounds = range.label.split(separator: "..<").compactMap { Double($0) }
      // The slow and obvious count.
      let expected = numbers.filter {
        bounds.count == 1 ? $0 == bounds[0] : bounds[0] <= $0 && $0 < bounds[1]
      }
      #expect(range.rows == expected.count, "seed \(seed), \(range.label)")
    }
    #expect(found.ranges.first?.rows != 0 && found.ranges.last?.rows != 0)
  }

  @Test func closeNumbersHaveARangeEach() throws {
    let numbers = [1.0, 1.0.nextUp, 1.0.nextUp, 1.0.nextUp.nextUp]
    let found = try #require(try histogram(numbers.map { DecimalSum.value(of: $0) }))
    #expect(found.ranges.map { Double($0.label) } == [1.0, 1.0.nextUp, 1.0.nextUp.nextUp])
    #expect(found.ranges.map(\.rows) == [1, 2, 1])
  }

  @Test func boundsOfHugeNumbersAreShort() throws {
    let numbers = [1e200, 9e200, -1.5e201]
    let found = try #require(try histogram(numbers.map { DecimalSum.value(of: $0) }, limit: 5))
    #expect(
      found.ranges.map(\.label) == [
        "-1.5e+201..<-1e+201", "-1e+201..<-5e+200", "-5e+200..<0", "0..<5e+200", "5e+200..<1e+201",
      ])
    #expect(found.ranges.map(\.rows) == [1, 0, 0, 1, 1])
  }

  @Test func aSpanMayBeInfinite() throws {
    let numbers = [-1.5e308, 0.5, 1.5e308]
    let found = try #require(try histogram(numbers.map { DecimalSum.value(of: $0) }, limit: 4))
    #expect(
      found.ranges.map(\.label) == ["< -1e+308", "-1e+308..<0", "0..<1e+308", "≥ 1e+308"])
    #expect(found.ranges.map(\.rows) == [1, 0, 1, 1])
  }

  @Test func datesAreCountedByUnitsOfTheCalendar() throws {
    let months = try histogram(
      [date("2019-11-30"), date("2020-01-31T23:59:59Z"), date("2020-02-29"), .null], limit: 5)
    #expect(months?.ranges.map(\.label) == ["2019-11", "2019-12", "2020-01", "2020-02"])
    #expect(months?.ranges.map(\.rows) == [1, 0, 1, 1])
    let years = try histogram([date("1999-12-31"), date("2007-01-01")], limit: 5)
    #expect(
      years?.ranges.map(\.label) == [
        "1998..<2000", "2000..<2002", "2002..<2004", "2004..<2006", "2006..<2008",
      ])
    let weeks = try histogram([date("2020-01-05"), date("2020-01-26")], limit: 4)
    #expect(
      weeks?.ranges.map(\.label) == [
        "2019-12-30..<2020-01-06", "2020-01-06..<2020-01-13", "2020-01-13..<2020-01-20",
        "2020-01-20..<2020-01-27",
      ])
    #expect(weeks?.ranges.map(\.rows) == [1, 0, 0, 1])
    let days = try histogram([date("2020-02-28"), date("2020-03-01")])
    #expect(days?.ranges.map(\.label) == ["2020-02-28", "2020-02-29", "2020-03-01"])
    let hours = try histogram([date("2020-02-28T14:30:00"), date("2020-02-29T01:00:00")], limit: 4)
    #expect(
      hours?.ranges.map(\.label) == [
        "2020-02-28T12:00..<18:00", "2020-02-28T18:00..<2020-02-29T00:00",
        "2020-02-29T00:00..<06:00",
      ])
  }

  /// Many different dates are stored without their zones, so all are counted in GMT.
  @Test func datesAreCountedInGMT() throws {
    let found = try histogram([
      date("2020-01-01T00:30:00+02:00"), date("2019-12-31T23:00:00-05:00"),
    ])
    #expect(found?.ranges.first?.label.hasPrefix("2019-12-31T22") == true)
    #expect(found?.ranges.last?.label.hasPrefix("2020-01-01T04") == true)
  }

  /// 0.3 / 0.1 is less than 3, but 0.3 is in the range that begins with 0.3.
  @Test(arguments: [0.1, 0.05, 0.2, 0.001, 1e-7])
  func aNumberOnABoundIsInTheRangeThatBeginsWithIt(step: Double) throws {
    let numbers = (0..<20).map { Double("\($0)") ?? 0 }.map { $0 * (1 / (1 / step)) }
    let texts = numbers.map { DecimalSum.value(of: ($0 * 1e9).rounded() / 1e9) }
    let found = try #require(try histogram(texts))
    #expect(found.ranges.reduce(0) { $0 + $1.rows } == numbers.count)
    for range in found.ranges {
      let bounds = range.label.split(separator: "..<").compactMap { Double($0) }
      let expected = texts.compactMap(\.double).filter { bounds[0] <= $0 && $0 < bounds[1] }
      #expect(range.rows == expected.count, "\(range.label)")
    }
  }

  @Test func largeIntegersAreExact() throws {
    let found = try #require(
      try histogram([
        .integer(9_007_199_254_740_993), .integer(9_007_199_254_740_992),
        .integer(9_007_199_254_740_995),
      ]))
    #expect(
      found.ranges.map(\.label) == [
        "9007199254740992", "9007199254740993", "9007199254740994", "9007199254740995",
      ])
    #expect(found.ranges.map(\.rows) == [1, 1, 0, 1])
  }

  @Test func integersAmongStringsAreWhole() throws {
    let found = try #require(try histogram([1, 2, 2, "many"]))
    #expect(found.ranges.map(\.label) == ["1", "2"] && found.others == 1)
    #expect(try histogram(["a", "b", 1984]) == nil)
  }

  @Test func otherValuesAreNotRanges() throws {
    #expect(try histogram([]) == nil)
    #expect(try histogram([.null]) == nil)
    #expect(try histogram(["a", "b"]) == nil)
    #expect(try histogram([1, date("2020-01-01")]) == nil)
    let mixed = try #require(try histogram([1, 1, "a", .null, .real(Real(.nan))]))
    #expect(mixed.ranges.map(\.rows) == [2] && mixed.others == 2 && mixed.nulls == 1)
  }

  @Test func extremeNumbersAreCounted() throws {
    for values: [Value] in [
      [.integer(.min), .integer(.max)], [.real(Real(-1e308)), .real(Real(5e307))],
      [.real(Real(.leastNonzeroMagnitude)), 0],
      [.real(Real(1e300)), .real(Real(1.0000000000000002e300))],
      // The span is infinite.
      [.real(Real(-1.7e308)), .real(Real(1.7e308))],
    ] {
      let found = try #require(try histogram(values))
      #expect(found.ranges.reduce(0) { $0 + $1.rows } == values.count)
      #expect(found.ranges.count <= 20)
    }
  }
}
