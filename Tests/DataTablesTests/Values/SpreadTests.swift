import TestSupport
import Testing

@testable import DataTables

struct SpreadTests {
  private func deviation(_ numbers: [Double]) -> Value {
    var spread = Spread()
    for number in numbers { spread.add(number) }
    return spread.standardDeviation
  }

  @Test func theDeviationIsThatOfASample() {
    #expect(deviation([1, 3]).json == "1.4142135623730951")
    #expect(deviation([5, 5, 5]) == 0)
    #expect(deviation([5]) == .null)
    #expect(deviation([]) == .null)
    #expect(deviation([1, .infinity]) == .null)
  }

  @Test(arguments: 0..<50)
  func largeNumbersLoseNoDigits(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let numbers = (0..<100).map { _ in Double(Int.random(in: 0...1_000, using: &random)) }
    let shifted = deviation(numbers.map { $0 + 1e12 })
    let mean = numbers.reduce(0, +) / 100
    let slow = (numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 99).squareRoot()
    guard case .real(let real) = shifted else {
      Issue.record("seed \(seed): \(shifted.json)")
      return
    }
    #expect(abs(real.value - slow) < slow * 1e-6, "seed \(seed)")
  }
}
