/// The sums of numbers by section, exact in decimals, as a ``DecimalSum`` is.
struct SectionSums {
  private let units: SectionUnits
  private let sizes: [Int]

  /// The sums of a column.
  ///
  /// - Returns: nil if a sum is not exact, or if the column has values that are neither numbers nor
  ///   null.
  /// - Complexity: O(rows), on all processors.
  init?(of column: KeyColumn, in sections: RowSections) {
    guard let adding = Self.adding(column, sections.count) else { return nil }
    let parts = Parallel.parts(of: column.count)
    let found = WorkerSlots<SectionUnits>(parts)
    sections.numbers.withUnsafeBufferPointer { numbers in
      Parallel.forEachPart(of: column.count) { part, rows in found[part] = adding(numbers, rows) }
    }
    guard var all = found[0] else { return nil }
    for part in 1..<parts {
      guard let units = found[part], all.add(units) else { return nil }
    }
    units = all
    sizes = sections.sizes
  }

  /// The results of a sum, an average or a mean.
  func aggregates(of kind: CollectionOperator) -> SectionAggregates {
    SectionAggregates(sizes.indices.map { $0..<$0 + 1 }) { range, findings in
      let section = range.lowerBound
      let missing = units.missing[section]
      let result = CollectionOperator.Accumulator(
        kind, sum: DecimalSum(units: units.sums[section], places: units.places),
        numbers: sizes[section] - missing, missing: missing)
      findings.merge(result.findings)
      return result.value
    }
  }

  private typealias Adding = (
    _ sections: UnsafeBufferPointer<UInt16>, _ rows: Range<Int>
  ) -> SectionUnits?

  /// The loop over the rows of a column; nil if its values do not have exact sums.
  private static func adding(_ column: KeyColumn, _ count: Int) -> Adding? {
    switch column {
    case .keyed(let column):
      switch column.kind {
      case .date: return nil
      case .integer: return { SectionUnits(integers: column.keys, $1, in: $0, count) }
      case .real:
        guard let places = column.grid?.placesOfSums(of: column.keys.count) else { return nil }
        return { SectionUnits(decimals: column.keys, places, $1, in: $0, count) }
      }
    case .coded(let codes, let values):
      guard let numbers = CodedUnits(values) else { return nil }
      return switch codes {
      case .narrow(let codes):
        { SectionUnits(numbers, $1, in: $0, count) { Int(codes[$0]) } }
      case .wide(let codes): { SectionUnits(numbers, $1, in: $0, count) { Int(codes[$0]) } }
      case .natural: { SectionUnits(numbers, $1, in: $0, count) { $0 } }
      }
    }
  }
}

/// Sums by section, in units of a power of ten. The last one is of the rows in no section.
private struct SectionUnits {
  private(set) var sums: [Int]
  /// The number of nulls.
  private(set) var missing: [Int]
  /// The sums are in units of `10^-places`.
  private(set) var places = 0

  init(sections: Int) {
    sums = [Int](repeating: 0, count: sections + 1)
    missing = sums
  }

  /// Adds the sums of other rows, in the same units.
  /// - Returns: whether all sums are exact.
  mutating func add(_ other: SectionUnits) -> Bool {
    for section in sums.indices {
      let (sum, overflow) = sums[section].addingReportingOverflow(other.sums[section])
      if overflow { return false }
      sums[section] = sum
      missing[section] += other.missing[section]
    }
    return true
  }
}

// The loops. Each adds the numbers of a range of rows; nil if a sum is not exact.
extension SectionUnits {
  fileprivate init?(
    integers keys: NumericKeys, _ rows: Range<Int>, in sections: UnsafeBufferPointer<UInt16>,
    _ count: Int
  ) {
    self.init(sections: count)
    let isExact = keys.withUnsafeBufferPointer { keys in
      add(rows, in: sections) { row in
        keys[row] == NumericColumn.null ? nil : NumericColumn.integer(keys[row])
      }
    }
    if !isExact { return nil }
  }

  fileprivate init?(
    _ numbers: CodedUnits, _ rows: Range<Int>, in sections: UnsafeBufferPointer<UInt16>,
    _ count: Int, code: (Int) -> Int
  ) {
    self.init(sections: count)
    places = numbers.places
    if !add(rows, in: sections, { numbers.units[code($0)] }) { return nil }
  }

  @inline(__always)
  private mutating func add(
    _ rows: Range<Int>, in sections: UnsafeBufferPointer<UInt16>, _ units: (_ row: Int) -> Int?
  ) -> Bool {
    sums.withUnsafeMutableBufferPointer { sums in
      missing.withUnsafeMutableBufferPointer { missing in
        for row in rows {
          let section = Int(sections[row])
          guard let units = units(row) else {
            missing[section] &+= 1
            continue
          }
          let (sum, overflow) = sums[section].addingReportingOverflow(units)
          if overflow { return false }
          sums[section] = sum
        }
        return true
      }
    }
  }

  /// - Parameter places: those of all numbers, whose sums fit 64 bits: nothing is tested.
  fileprivate init(
    decimals keys: NumericKeys, _ places: Int, _ rows: Range<Int>,
    in sections: UnsafeBufferPointer<UInt16>, _ count: Int
  ) {
    self.init(sections: count)
    self.places = places
    let power = DecimalSum.powers[places]
    keys.withUnsafeBufferPointer { keys in
      sums.withUnsafeMutableBufferPointer { sums in
        missing.withUnsafeMutableBufferPointer { missing in
          for row in rows {
            let (key, section) = (keys[row], Int(sections[row]))
            if key == NumericColumn.null {
              missing[section] &+= 1
            } else {
              let number = NumericColumn.double(key)
              sums[section] &+= DecimalSum.nearestUnits(to: number, power: power)
            }
          }
        }
      }
    }
  }
}

/// The numbers of a column with few distinct values, in units of a power of ten.
private struct CodedUnits {
  /// By code; nil for null.
  let units: [Int?]
  let places: Int

  /// - Returns: nil for values that are neither numbers nor null, and for numbers that are not exact.
  init?(_ values: DistinctValues) {
    if values.areStrings { return nil }
    var sums: [DecimalSum?] = []
    for value in values {
      guard !value.isNull else {
        sums.append(nil)
        continue
      }
      var sum = DecimalSum()
      switch value {
      case .integer(let integer): sum.add(integer)
      case .real(let real): sum.add(real)
      default: return nil
      }
      sums.append(sum)
    }
    var places = 0
    for case let sum? in sums {
      guard let exactPlaces = sum.exactPlaces else { return nil }
      places = max(places, exactPlaces)
    }
    var units: [Int?] = []
    for sum in sums {
      guard let sum else {
        units.append(nil)
        continue
      }
      guard let scaled = sum.units(withPlaces: places) else { return nil }
      units.append(scaled)
    }
    self.units = units
    self.places = places
  }
}
