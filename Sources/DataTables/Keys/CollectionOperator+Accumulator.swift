extension CollectionOperator {
  /// Computes the value of an operator from values that are added one at a time.
  struct Accumulator {
    private let kind: CollectionOperator
    private(set) var findings = OperatorFindings()
    private var sum = DecimalSum()
    private var spread = Spread()
    /// The least, greatest, first or last value so far.
    private var chosen: Value = .null
    /// The values of a union or of a median.
    private var values: [Value] = []
    private var seen: Set<Value> = []

    init(_ kind: CollectionOperator) { self.kind = kind }

    mutating func add(_ value: Value) {
      switch kind {
      case .count: findings.add(value)
      case .sum, .average, .mean, .median, .standardDeviation, .minimum, .maximum:
        if case .array(let elements) = value {
          for element in elements { add(element) }
        } else {
          findings.add(value)
          addScalar(value)
        }
      case .first: if chosen.isNull { chosen = value }
      case .last: if !value.isNull { chosen = value }
      case .distinctUnionOfObjects, .unionOfObjects: append(value)
      case .distinctUnionOfArrays, .unionOfArrays:
        if case .array(let elements) = value {
          for element in elements { append(element) }
        } else {
          append(value)
        }
      }
    }

    /// Adds a number that is known only as a double.
    /// - Precondition: the operator is a sum, a mean or a deviation.
    mutating func add(_ double: Double) {
      findings.addNumber()
      if kind == .standardDeviation { spread.add(double) } else { sum.add(double) }
    }

    mutating func addMissing() { findings.add(.null) }

    private mutating func addScalar(_ value: Value) {
      switch (kind, value) {
      case (_, .null): break
      case (.minimum, _):
        if chosen.isNull || value.ordered(before: chosen) { chosen = value }
      case (.maximum, _):
        if chosen.isNull || chosen.ordered(before: value) { chosen = value }
      case (.median, .integer), (.median, .real): values.append(value)
      case (.standardDeviation, .integer(let integer)): spread.add(Double(integer))
      case (.standardDeviation, .real(let real)): spread.add(real.value)
      case (_, .integer(let integer)): sum.add(integer)
      case (_, .real(let real)): sum.add(real)
      default: break
      }
    }

    private mutating func append(_ value: Value) {
      if value.isNull { return }
      let isDistinct = kind == .distinctUnionOfObjects || kind == .distinctUnionOfArrays
      if isDistinct, !seen.insert(value).inserted { return }
      values.append(value)
    }

    var value: Value {
      if kind.isNumeric, findings.others > 0 { return .null }
      return switch kind {
      case .count: .integer(findings.count)
      case .sum: sum.value
      case .average: sum.divided(by: findings.count)
      case .mean: findings.numbers == 0 ? .null : sum.divided(by: findings.numbers)
      case .median: Self.median(of: values)
      case .standardDeviation: spread.standardDeviation
      case .minimum, .maximum, .first, .last: chosen
      case .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays:
        .array(values)
      }
    }

    /// - Complexity: O(numbers log numbers).
    private static func median(of numbers: [Value]) -> Value {
      guard !numbers.isEmpty else { return .null }
      let sorted = numbers.sorted { $0.ordered(before: $1) }
      let (low, high) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
      // Among equal numbers, the text of the first is shown.
      return low == high ? numbers.first { $0 == low } ?? low : .mean(of: low, high)
    }
  }
}

extension Value {
  /// The mean of two numbers.
  static func mean(of first: Value, _ second: Value) -> Value {
    var result = CollectionOperator.Accumulator(.mean)
    result.add(first)
    result.add(second)
    return result.value
  }
}
