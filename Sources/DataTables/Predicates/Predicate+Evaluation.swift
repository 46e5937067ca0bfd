extension Predicate {
  /// Whether an object satisfies the predicate.
  ///
  /// - Throws: ``TableError/badArgument(_:)`` for a part that is neither true nor false.
  public func holds(on object: Value) throws(TableError) -> Bool {
    try holds { path in path?.evaluate(on: object) ?? object }
  }

  /// - Parameter read: gives what stands under a path in the object; without one, the object.
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
  /// What the operand is when it asks nothing of an object; nil when it does.
  public var constant: Value? {
    guard keyPaths.isEmpty, !needsObject else { return nil }
    // A part that is neither true nor false is told where it meets an object.
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

// What is asked of an object.
extension Predicate {
  /// The key paths that are read, in the order in which they are written; some may come twice.
  public var keyPaths: [ObjectKeyPath] {
    switch self {
    case .comparison(let comparison): comparison.left.keyPaths + comparison.right.keyPaths
    case .boolean(let operand): operand.keyPaths
    case .not(let predicate): predicate.keyPaths
    case .and(let predicates), .or(let predicates): predicates.flatMap(\.keyPaths)
    }
  }

  /// Whether a part asks for more than what stands under key paths.
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
