/// Evenly spaced values that include all values of a numeric column: whole seconds, cents, record
/// numbers.
///
/// The number of a value on the grid has far fewer bits than its key, so that rows are sorted in
/// fewer passes, and by several keys at once.
struct KeyGrid: Sendable {
  enum Spacing: Sendable, Equatable {
    /// Keys that differ by multiples of a number.
    case keys(UInt64)
    /// Doubles that are the nearest ones to multiples of `10^-places`.
    case decimals(places: Int)
  }
  let spacing: Spacing
  /// The least value: a key, or a number of units of `10^-places`.
  private let least: UInt64
  /// The number of points from the least value to the greatest.
  let count: UInt64
  let hasNulls: Bool

  /// Steps of integers that are looked for, in descending order: days and seconds of dates, and
  /// round numbers.
  private static let integerSteps: [UInt64] = [1_000_000, 1_000, 10]
  private static let dateSteps: [UInt64] = [864_000_000_000, 600_000_000, 10_000_000, 10_000, 10]

  /// - Returns: nil for a column without values, and for doubles that are not decimals of few places.
  /// - Complexity: O(rows), on all processors.
  init?(_ column: NumericColumn) {
    let extent = column.keys.extent
    guard let least = extent.least?.key, let greatest = extent.greatest?.key else { return nil }
    hasNulls = extent.nulls > 0
    switch column.kind {
    case .real:
      guard let places = Self.places(column.keys, least, greatest),
        let first = units(least, power: DecimalSum.powers[places]),
        let last = units(greatest, power: DecimalSum.powers[places])
      else { return nil }
      spacing = .decimals(places: places)
      self.least = UInt64(bitPattern: Int64(first))
      count = UInt64(last - first) + 1
    case .integer, .date:
      let steps = column.kind == .date ? Self.dateSteps : Self.integerSteps
      let step = steps.first { Self.isStep($0, of: column.keys, from: least) } ?? 1
      // Every 64-bit number would not fit a count.
      guard greatest - least < UInt64.max / 2 else { return nil }
      spacing = .keys(step)
      self.least = least
      count = (greatest - least) / step + 1
    }
  }

  /// The number of a value, in `0..<count`.
  /// - Precondition: `key` is the key of a value of the column, not of null.
  @inline(__always)
  func number(of key: UInt64) -> UInt64 {
    switch spacing {
    case .keys(1): return key &- least
    case .keys(let step): return (key &- least) / step
    case .decimals(let places):
      let number = NumericColumn.double(key)
      let units = DecimalSum.nearestUnits(to: number, power: DecimalSum.powers[places])
      return UInt64(bitPattern: Int64(units)) &- least
    }
  }

  /// The places of decimals, if this number of them has sums that fit 64 bits in units of
  /// `10^-places`.
  func placesOfSums(of values: Int) -> Int? {
    guard case .decimals(let places) = spacing else { return nil }
    let first = Int64(bitPattern: least)
    let greatest = max(first.magnitude, (first + Int64(count) - 1).magnitude)
    let (sum, overflow) = greatest.multipliedReportingOverflow(by: UInt64(max(1, values)))
    return overflow || sum > Int64.max ? nil : places
  }

  private static func isStep(_ step: UInt64, of keys: NumericKeys, from least: UInt64) -> Bool {
    all(keys) { ($0 &- least).isMultiple(of: step) }
  }

  /// Whether all keys of values have a property; ends soon after the first key that does not.
  // Inlined with its closure: no call per key.
  @inline(__always)
  private static func all(_ keys: NumericKeys, _ holds: (UInt64) -> Bool) -> Bool {
    let found = WorkerSlots<Bool>(Parallel.parts(of: keys.count))
    keys.withUnsafeBufferPointer { keys in
      Parallel.forEachPart(of: keys.count) { part, rows in
        found[part] = rows.allSatisfy { keys[$0] == NumericColumn.null || holds(keys[$0]) }
      }
    }
    return (0..<Parallel.parts(of: keys.count)).allSatisfy { found[$0] ?? true }
  }

  /// The least number of decimal places with which all doubles are exact; nil if there is none.
  private static func places(
    _ keys: NumericKeys, _ least: UInt64, _ greatest: UInt64
  ) -> Int? {
    var places = 0
    // Each round finds the places of the first double that needs more than those before it.
    while true {
      let power = DecimalSum.powers[places]
      if all(keys, { units($0, power: power) != nil }) { return places }
      guard
        let misfit = keys.first(where: {
          $0 != NumericColumn.null && units($0, power: power) == nil
        }),
        let more = DecimalSum.places(of: NumericColumn.double(misfit), atLeast: places + 1)
      else { return nil }
      places = more
    }
  }
}

@inline(__always)
private func units(_ key: UInt64, power: Double) -> Int? {
  DecimalSum.units(of: NumericColumn.double(key), power: power)
}
