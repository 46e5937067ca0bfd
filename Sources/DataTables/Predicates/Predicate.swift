/// A condition on objects: `name BEGINSWITH[cd] 'e' AND age >= 18`.
///
/// A comparison never fails: if its values cannot be compared, it is false, and `NOT` of it is
/// true. A comparison with null is false, except with `==` and `!=`. The only error in an
/// evaluation is a condition whose value is not true, false or null.
public indirect enum Predicate: Sendable {
  case comparison(Comparison)
  /// An operand with a Boolean value; null is false.
  case boolean(Operand)
  case not(Predicate)
  case and([Predicate])
  case or([Predicate])

  /// An expression that has a value for each object.
  public indirect enum Operand: Sendable {
    case value(Value)
    /// `SELF`.
    case object
    case key(ObjectKeyPath)
    /// A key path on the value of another operand.
    case path(Operand, ObjectKeyPath)
    case array([Operand])
    case record([(key: String, value: Operand)])
    /// A predicate as an operand: `(a > 1) == true`.
    case predicate(Predicate)
    /// A function or an arithmetic operator with as many operands as it accepts. Its value is null
    /// if it cannot be computed.
    case call(ValueFunction, [Operand])
    /// `TERNARY(a > 1, b, c)`.
    case conditional(Predicate, Operand, Operand)
    /// The element that a subquery tests: `$x`.
    case variable(String)
    case subquery(Subquery)
  }

  /// The elements of a list that satisfy a predicate: `SUBQUERY(items, $x, $x.price > 3)`.
  public struct Subquery: Sendable {
    public let list: Operand
    /// The name of the element, without `$`.
    public let variable: String
    /// In it, keys without the variable are those of the object around the list.
    public let predicate: Predicate

    public init(_ list: Operand, _ variable: String, _ predicate: Predicate) {
      self.list = list
      self.variable = variable
      self.predicate = predicate
    }
  }

  /// The values of variables, the innermost last.
  typealias Variables = [(name: String, value: Value)]

  /// Two operands and the operator between them.
  public struct Comparison: Sendable {
    public let left: Operand
    public let `operator`: ComparisonOperator
    public let right: Operand
    let pattern: TextPattern?

    /// - Throws: ``TableError/badArgument(_:)`` if the right side is a value that the operator does
    ///   not accept: `IN` expects a list, `BETWEEN` two values, `LIKE` a string, `MATCHES` a
    ///   regular expression.
    public init(_ left: Operand, _ operator: ComparisonOperator, _ right: Operand)
      throws(TableError)
    {
      self.left = left
      self.operator = `operator`
      self.right = right
      do throws(ComparisonError) {
        pattern = try `operator`.prepared(right)
      } catch {
        throw error.tableError
      }
    }
  }
}

extension ComparisonOperator {
  /// Checks the right side if it is constant.
  /// - Returns: the pattern of a string operator; nil if the operator has none or the right side is
  ///   not constant.
  fileprivate func prepared(_ right: Predicate.Operand) throws(ComparisonError) -> TextPattern? {
    switch (kind, right) {
    case (.between, .array(let bounds)) where bounds.count != 2: throw .notTwoValues
    case (_, .value(.null)): return nil
    case (.in, .value(.string)): return nil
    case (.in, .value(let list)):
      _ = try elements(list)
      return nil
    case (.between, .value(let bounds)):
      guard try elements(bounds).count == 2 else { throw .notTwoValues }
      return nil
    // CONTAINS also searches arrays, whose elements need not be strings.
    case (.contains, .value(.string(let text))): return try TextPattern(text, .contains, options)
    case (.contains, _): return nil
    case (.beginsWith, .value(let value)), (.endsWith, .value(let value)),
      (.like, .value(let value)), (.matches, .value(let value)):
      guard case .string(let text) = value else { throw .notString(value, kind) }
      return try TextPattern(text, kind, options)
    default: return nil
    }
  }
}

extension Predicate {
  /// Whether an object satisfies the predicate.
  ///
  /// - Throws: ``TableError/badArgument(_:)`` for a condition that is not true, false or null.
  public func holds(on object: Value) throws(TableError) -> Bool {
    try holds { path in path?.evaluate(on: object) ?? object }
  }

  /// - Parameter read: returns the value of a key path in the object, or the object itself for nil.
  func holds(
    _ read: (ObjectKeyPath?) -> Value, _ variables: Variables = []
  ) throws(TableError) -> Bool {
    switch self {
    case .comparison(let comparison):
      return comparison.operator.holdsLeniently(
        try comparison.left.value(read, variables), try comparison.right.value(read, variables),
        pattern: comparison.pattern)
    case .boolean(let operand): return try operand.boolean(try operand.value(read, variables))
    case .not(let predicate): return !(try predicate.holds(read, variables))
    case .and(let predicates):
      for predicate in predicates {
        if !(try predicate.holds(read, variables)) { return false }
      }
      return true
    case .or(let predicates):
      for predicate in predicates {
        if try predicate.holds(read, variables) { return true }
      }
      return false
    }
  }
}

extension Predicate.Operand {
  /// The value of an operand that does not depend on the object; nil if the operand depends on the
  /// object or its evaluation throws.
  public var constant: Value? {
    guard isConstant else { return nil }
    // An error is thrown later, when the operand is evaluated for an object.
    return try? value { _ in .null }
  }

  func value(
    _ read: (ObjectKeyPath?) -> Value, _ variables: Predicate.Variables = []
  ) throws(TableError) -> Value {
    switch self {
    case .value(let value): return value
    case .object: return read(nil)
    case .key(let path): return read(path)
    case .path(let operand, let path): return path.evaluate(on: try operand.value(read, variables))
    case .array(let operands): return .array(try Self.values(of: operands, read, variables))
    case .record(let pairs):
      let values = try Self.values(of: pairs.map(\.value), read, variables)
      return .record(Record(Array(zip(pairs.map(\.key), values))))
    case .predicate(let predicate): return .bool(try predicate.holds(read, variables))
    case .call(let function, let operands):
      return (try? function.apply(try Self.values(of: operands, read, variables))) ?? .null
    case .conditional(let condition, let first, let second):
      return try condition.holds(read, variables)
        ? try first.value(read, variables) : try second.value(read, variables)
    case .variable(let name): return variables.last { $0.name == name }?.value ?? .null
    case .subquery(let subquery): return try subquery.value(read, variables)
    }
  }

  private static func values(
    of operands: [Predicate.Operand], _ read: (ObjectKeyPath?) -> Value,
    _ variables: Predicate.Variables
  ) throws(TableError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(operands.count)
    for operand in operands { values.append(try operand.value(read, variables)) }
    return values
  }

  fileprivate func boolean(_ value: Value) throws(TableError) -> Bool {
    switch value {
    case .bool(let bool): return bool
    case .null: return false
    default: throw .badArgument("`\(self)` is \(value.excerpt), neither true nor false")
    }
  }
}

extension Predicate.Subquery {
  /// The elements that satisfy the predicate; none for a list that is null.
  fileprivate func value(
    _ read: (ObjectKeyPath?) -> Value, _ variables: Predicate.Variables
  ) throws(TableError) -> Value {
    var found: [Value] = []
    for element in try list.value(read, variables).listed
    where try predicate.holds(read, variables + [(variable, element)]) {
      found.append(element)
    }
    return .array(found)
  }
}

extension Value {
  /// The elements of an array, none for null, otherwise the value itself.
  package var listed: [Value] {
    switch self {
    case .array(let elements): elements
    case .null: []
    default: [self]
    }
  }
}
