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
  }

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
  func holds(_ read: (ObjectKeyPath?) -> Value) throws(TableError) -> Bool {
    switch self {
    case .comparison(let comparison):
      return comparison.operator.holdsLeniently(
        try comparison.left.value(read), try comparison.right.value(read),
        pattern: comparison.pattern)
    case .boolean(let operand): return try operand.boolean(try operand.value(read))
    case .not(let predicate): return !(try predicate.holds(read))
    case .and(let predicates):
      for predicate in predicates {
        if !(try predicate.holds(read)) { return false }
      }
      return true
    case .or(let predicates):
      for predicate in predicates {
        if try predicate.holds(read) { return true }
      }
      return false
    }
  }
}

extension Predicate.Operand {
  /// The value of an operand that does not depend on the object; nil if the operand depends on the
  /// object or its evaluation throws.
  public var constant: Value? {
    guard keyPaths.isEmpty, !needsObject else { return nil }
    // An error is thrown later, when the operand is evaluated for an object.
    return try? value { _ in .null }
  }

  func value(_ read: (ObjectKeyPath?) -> Value) throws(TableError) -> Value {
    switch self {
    case .value(let value): return value
    case .object: return read(nil)
    case .key(let path): return read(path)
    case .path(let operand, let path): return path.evaluate(on: try operand.value(read))
    case .array(let operands):
      var values: [Value] = []
      for operand in operands { values.append(try operand.value(read)) }
      return .array(values)
    case .record(let pairs):
      var values: [(String, Value)] = []
      for (key, operand) in pairs { values.append((key, try operand.value(read))) }
      return .record(Record(values))
    case .predicate(let predicate): return .bool(try predicate.holds(read))
    }
  }

  fileprivate func boolean(_ value: Value) throws(TableError) -> Bool {
    switch value {
    case .bool(let bool): return bool
    case .null: return false
    default: throw .badArgument("`\(self)` is \(value.excerpt), neither true nor false")
    }
  }
}

// The parts of an object that a predicate reads.
extension Predicate {
  /// The key paths that the predicate reads, in the order in which they are written, with
  /// duplicates.
  public var keyPaths: [ObjectKeyPath] {
    switch self {
    case .comparison(let comparison): comparison.left.keyPaths + comparison.right.keyPaths
    case .boolean(let operand): operand.keyPaths
    case .not(let predicate): predicate.keyPaths
    case .and(let predicates), .or(let predicates): predicates.flatMap(\.keyPaths)
    }
  }

  /// Whether the predicate reads more of the object than the values of key paths.
  package var readsObject: Bool { needsObject }

  var needsObject: Bool {
    switch self {
    case .comparison(let comparison): comparison.left.needsObject || comparison.right.needsObject
    case .boolean(let operand): operand.needsObject
    case .not(let predicate): predicate.needsObject
    case .and(let predicates), .or(let predicates): predicates.contains(where: \.needsObject)
    }
  }
}

extension Predicate.Operand {
  var keyPaths: [ObjectKeyPath] {
    switch self {
    case .value, .object: []
    case .key(let path): [path]
    case .path(let operand, _): operand.keyPaths
    case .array(let operands): operands.flatMap(\.keyPaths)
    case .record(let pairs): pairs.flatMap(\.value.keyPaths)
    case .predicate(let predicate): predicate.keyPaths
    }
  }

  var needsObject: Bool {
    switch self {
    case .value, .key: false
    case .object: true
    case .path(let operand, _): operand.needsObject
    case .array(let operands): operands.contains(where: \.needsObject)
    case .record(let pairs): pairs.contains { $0.value.needsObject }
    case .predicate(let predicate): predicate.needsObject
    }
  }
}

extension Predicate: CustomStringConvertible {
  /// The predicate as it is typed, with the necessary parentheses.
  public var description: String {
    switch self {
    case .comparison(let comparison): return comparison.description
    case .boolean(let operand): return operand.description
    case .not(let predicate): return "not \(predicate.parenthesized)"
    case .and(let predicates): return predicates.map(\.parenthesized).joined(separator: " and ")
    case .or(let predicates): return predicates.map(\.parenthesized).joined(separator: " or ")
    }
  }

  private var parenthesized: String {
    switch self {
    case .comparison, .boolean: description
    case .not, .and, .or: "(\(self))"
    }
  }
}

extension Predicate.Comparison: CustomStringConvertible {
  /// The comparison as it is typed: `ANY items.price > 3`.
  public var description: String {
    let quantifier = `operator`.quantifier.map { $0.rawValue.uppercased() + " " } ?? ""
    return "\(quantifier)\(left) \(`operator`) \(right)"
  }
}

extension Predicate.Operand: CustomStringConvertible {
  public var description: String {
    switch self {
    case .value(.date(let date)): date.text
    case .value(let value): value.json
    case .object: "SELF"
    case .key(let path):
      // In a predicate, a bare word is a key, and a quoted word is a string.
      path.description.first == "\"" ? "SELF.\(path)" : path.description
    case .path(let operand, let path):
      path.description.first == "[" ? "\(operand)\(path)" : "\(operand).\(path)"
    case .array(let operands): "[" + operands.map(\.description).joined(separator: ", ") + "]"
    case .record(let pairs):
      "{" + pairs.map { "\(Value.string($0.key).json): \($0.value)" }.joined(separator: ", ") + "}"
    case .predicate(let predicate): "(\(predicate))"
    }
  }
}
