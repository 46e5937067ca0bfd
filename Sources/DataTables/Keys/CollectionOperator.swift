/// A step of a key path that reduces the elements of an array to one value: `items.@sum.price`.
///
/// The following steps apply to each element. The operators on scalars (`@sum`, `@avg`, `@min`,
/// `@max`) descend into elements that are arrays, so that `orders.items.@sum.price` is the sum over
/// all orders.
public enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
  case count = "@count"
  case sum = "@sum"
  case average = "@avg"
  case minimum = "@min"
  case maximum = "@max"
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  case unionOfObjects = "@unionOfObjects"
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  case unionOfArrays = "@unionOfArrays"

  /// One line for help.
  public var summary: String {
    switch self {
    case .count: "the number of elements, including missing values"
    case .sum: "the sum; a missing value counts as 0"
    case .average: "the average; a missing value counts as 0"
    case .minimum: "the least value in the order of sort:"
    case .maximum: "the greatest value in the order of sort:"
    case .distinctUnionOfObjects: "the distinct values, in the order of their first appearance"
    case .unionOfObjects: "all values except missing ones"
    case .distinctUnionOfArrays: "the distinct elements of all arrays"
    case .unionOfArrays: "the elements of all arrays"
    }
  }

  /// Applies the operator to the elements of an array.
  ///
  /// - Parameter rest: the steps that apply to each element.
  /// - Returns: null for a sum or an average if some value is neither a number nor null, and for
  ///   the least or greatest of no values. The sum and the average of no values are 0.
  /// - Complexity: O(elements).
  func evaluate(_ rest: ArraySlice<ObjectKeyPath.Step>, on elements: [Value]) -> Value {
    if self == .count { return .integer(elements.count) }
    var result = Accumulator(self)
    for element in elements { result.add(ObjectKeyPath.evaluate(rest, on: element)) }
    return result.value
  }

  /// Computes the value of an operator from values that are added one at a time.
  struct Accumulator {
    private let kind: CollectionOperator
    private var count = 0
    private var sum = DecimalSum()
    private var hasOthers = false
    private var extreme: Value = .null
    private var values: [Value] = []
    private var seen: Set<Value> = []

    init(_ kind: CollectionOperator) { self.kind = kind }

    mutating func add(_ value: Value) {
      switch kind {
      case .count: count += 1
      case .sum, .average, .minimum, .maximum:
        if case .array(let elements) = value {
          for element in elements { add(element) }
        } else {
          count += 1
          addScalar(value)
        }
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
    mutating func add(_ double: Double) {
      count += 1
      sum.add(double)
    }

    mutating func addMissing() { count += 1 }

    private mutating func addScalar(_ value: Value) {
      switch (kind, value) {
      case (_, .null): break
      case (.minimum, _):
        if extreme.isNull || value.ordered(before: extreme) { extreme = value }
      case (.maximum, _):
        if extreme.isNull || extreme.ordered(before: value) { extreme = value }
      case (_, .integer(let integer)): sum.add(integer)
      case (_, .real(let real)): sum.add(real)
      default: hasOthers = true
      }
    }

    private mutating func append(_ value: Value) {
      if value.isNull { return }
      let isDistinct = kind == .distinctUnionOfObjects || kind == .distinctUnionOfArrays
      if isDistinct, !seen.insert(value).inserted { return }
      values.append(value)
    }

    var value: Value {
      switch kind {
      case .count: .integer(count)
      case .sum: hasOthers ? .null : sum.value
      case .average: hasOthers ? .null : sum.divided(by: count)
      case .minimum, .maximum: extreme
      case .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays:
        .array(values)
      }
    }
  }
}
