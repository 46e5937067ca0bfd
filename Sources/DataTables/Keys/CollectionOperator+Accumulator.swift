extension CollectionOperator {
  /// Computes the value of an operator from values that are added one at a time.
  struct Accumulator {
    private let kind: CollectionOperator
    private var counted = OperatorFindings()
    private var sum = DecimalSum()
    private var spread = Spread()
    /// The least, greatest, first or last value so far.
    private var chosen: Value = .null
    /// The values of a union or of a median.
    private var values: [Value] = []
    private var seen: Set<Value> = []
    /// Whether a number is NaN or an infinity.
    private var hasNonFinite = false

    init(_ kind: CollectionOperator) { self.kind = kind }

    /// The state after adding numbers with a sum, and nulls.
    /// - Precondition: the operator is a sum, an average or a mean.
    init(_ kind: CollectionOperator, sum: DecimalSum, numbers: Int, missing: Int) {
      self.kind = kind
      self.sum = sum
      counted = OperatorFindings(numbers: numbers, missing: missing)
    }

    /// The number of values that are kept for a union or a median.
    var numberOfKeptValues: Int { values.count }

    mutating func add(_ value: Value) {
      switch kind {
      case .count: counted.add(value)
      case .sum, .average, .mean, .median, .standardDeviation, .minimum, .maximum:
        if case .array(let elements) = value {
          for element in elements { add(element) }
        } else {
          counted.add(value)
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
      counted.addNumber()
      if kind == .standardDeviation {
        hasNonFinite = hasNonFinite || !double.isFinite
        spread.add(double)
      } else {
        sum.add(double)
      }
    }

    mutating func addMissing() { counted.add(.null) }

    private mutating func addScalar(_ value: Value) {
      switch (kind, value) {
      case (_, .null): break
      case (.minimum, _):
        if chosen.isNull || value.ordered(before: chosen) { chosen = value }
      case (.maximum, _):
        if chosen.isNull || chosen.ordered(before: value) { chosen = value }
      case (.median, .integer), (.median, .real): values.append(value)
      case (.standardDeviation, .integer(let integer)): spread.add(Double(integer))
      case (.standardDeviation, .real(let real)):
        hasNonFinite = hasNonFinite || !real.isFinite
        spread.add(real.value)
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

    /// The kinds of values that were added, and whether the result is too large.
    var findings: OperatorFindings {
      var findings = counted
      guard kind.isNumeric, counted.others == 0 else { return findings }
      switch kind {
      case .median: findings.isTooLarge = !values.isEmpty && value.isNull
      case .standardDeviation:
        findings.isTooLarge = counted.numbers > 1 && !hasNonFinite && value.isNull
      default: findings.isTooLarge = sum.isTooLarge && value.isNull
      }
      return findings
    }

    var value: Value {
      if kind.isNumeric, counted.others > 0 { return .null }
      return switch kind {
      case .count: .integer(counted.count)
      case .sum: sum.value
      case .average: sum.divided(by: counted.count)
      case .mean: counted.numbers == 0 ? .null : sum.divided(by: counted.numbers)
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
