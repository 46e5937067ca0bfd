import TestSupport
import Testing

@testable import DataTables

/// The numbers of values on a grid, compared with the order of their keys.
struct KeyGridTests {
  enum Kind: CaseIterable {
    case integers, steps, extremes, days, seconds, ticks, cents, halves, mixedPlaces, doubles,
      special

    func column(_ random: inout SplitMix64, rows: Int) -> NumericColumn {
      let start = Int(random.below(1 << 40)) - 1 << 39
      let keys = (0..<rows).map { _ -> UInt64 in
        if random.below(10) == 0 { return NumericColumn.null }
        switch self {
        case .integers: return NumericColumn.key(start + random.below(1_000)) ?? 0
        case .steps: return NumericColumn.key(start + random.below(1_000) * 1_000) ?? 0
        case .extremes:
          return NumericColumn.key(random.one(of: [.min, .min + 1, -1, 0, 1, .max - 1])) ?? 0
        case .days:
          return NumericColumn.key((start % 9_999 + random.below(99)) * 864_000_000_000) ?? 0
        case .seconds: return NumericColumn.key(start + random.below(1 << 30) * 10_000_000) ?? 0
        case .ticks: return NumericColumn.key(start + random.below(1 << 30)) ?? 0
        case .cents: return NumericColumn.key(Double(random.below(10_000_000)) / 100)
        case .halves: return NumericColumn.key(Double(random.below(4_000) - 2_000) / 2)
        case .mixedPlaces:
          let power = DecimalSum.powers[random.below(7)]
          return NumericColumn.key(Double(random.below(2_000_000) - 1_000_000) / power)
        case .doubles: return NumericColumn.key(Double(random.next()) / 3)
        case .special:
          return NumericColumn.key(
            random.one(of: [
              -0.0, 0, .infinity, -.infinity, .nan, 1e300, .leastNonzeroMagnitude, 0x1p51,
              0x1p51 + 1,
            ]))
        }
      }
      return NumericColumn(kind: dates ? .date : reals ? .real : .integer, keys: keys)
    }

    private var dates: Bool { [.days, .seconds, .ticks].contains(self) }
    private var reals: Bool { ![.integers, .steps, .extremes].contains(self) && !dates }
  }

  @Test(arguments: Kind.allCases, 0..<4)
  func numbersAscendWithTheKeys(kind: Kind, seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let column = kind.column(&random, rows: [0, 1, 300, 120_000][seed])
    let keys = Set(column.keys).subtracting([NumericColumn.null]).sorted()
    guard let grid = column.grid else {
      #expect(keys.isEmpty || [.extremes, .doubles, .special].contains(kind))
      return
    }
    #expect(grid.hasNulls == column.keys.contains(NumericColumn.null))
    let numbers = keys.map { grid.number(of: $0) }
    #expect(numbers.first == 0)
    #expect(numbers.last == grid.count - 1)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    switch kind {
    case .days where keys.count > 2: #expect(grid.spacing == .keys(864_000_000_000))
    case .cents where keys.count > 20: #expect(grid.spacing == .decimals(places: 2))
    case .steps where keys.count > 20: #expect(grid.spacing == .keys(1_000))
    default: break
    }
  }

  @Test func numbersWithoutAGridHaveNone() {
    for values in [[1, .nan], [0.5, .infinity], [1.0 / 3, 2], [0x1p52, 0.5]] {
      #expect(NumericColumn(kind: .real, keys: values.map { NumericColumn.key($0) }).grid == nil)
    }
    let all = [Int.min, .max - 1].compactMap { NumericColumn.key($0) }
    #expect(NumericColumn(kind: .integer, keys: all).grid == nil)
  }
}
