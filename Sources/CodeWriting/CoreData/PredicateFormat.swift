import DataTables

/// A predicate as the format of `NSPredicate`, with its arguments.
struct PredicateFormat {
  private(set) var format = ""
  private(set) var arguments: [FormatArgument] = []
  /// The property of a key path.
  private let property: (ObjectKeyPath) -> String?

  /// An argument of a format.
  enum FormatArgument {
    /// `%K`
    case key(String)
    /// `%@`
    case value(Value)
  }

  /// - Parameter property: the key path of a property in the app; nil for a path without one.
  /// - Throws: ``CodeRefusal`` for an expression that `NSPredicate` or Core Data does not have.
  init(
    _ predicates: [Predicate], property: @escaping (ObjectKeyPath) -> String?
  ) throws(CodeRefusal) {
    self.property = property
    try add(predicates.count == 1 ? predicates[0] : .and(predicates))
  }

  private mutating func add(_ predicate: Predicate) throws(CodeRefusal) {
    switch predicate {
    case .comparison(let comparison): try add(comparison)
    case .boolean(let operand):
      try add(operand)
      format += " == YES"
    case .not(let inner):
      format += "NOT ("
      try add(inner)
      format += ")"
    case .and(let parts): try add(parts, " AND ", none: "TRUEPREDICATE")
    case .or(let parts): try add(parts, " OR ", none: "FALSEPREDICATE")
    }
  }

  private mutating func add(
    _ parts: [Predicate], _ word: String, none: String
  ) throws(CodeRefusal) {
    if parts.isEmpty { format += none }
    for (index, part) in parts.enumerated() {
      if index > 0 { format += word }
      let isCompound =
        switch part {
        case .and(let inner), .or(let inner): inner.count > 1
        default: false
        }
      if isCompound { format += "(" }
      try add(part)
      if isCompound { format += ")" }
    }
  }

  private mutating func add(_ comparison: Predicate.Comparison) throws(CodeRefusal) {
    let operation = comparison.operator
    guard operation.quantifier == nil, !operation.options.contains(.localized) else {
      throw Self.refusal("\(comparison)")
    }
    try add(comparison.left)
    format += " \(operation) "
    try add(comparison.right)
  }

  private mutating func add(_ operand: Predicate.Operand) throws(CodeRefusal) {
    if let value = operand.constant { return try add(value, of: operand) }
    switch operand {
    case .key(let path):
      guard let name = property(path) else { throw Self.refusal("\(operand)") }
      if Self.reserved.contains(name.lowercased()) {
        format += "%K"
        arguments.append(.key(name))
      } else {
        format += name
      }
    case .call(let function, let operands):
      guard operands.count == 2, let symbol = function.arithmeticOperator?.rawValue,
        "+-*/".contains(symbol)
      else { throw Self.refusal("\(operand)") }
      format += "("
      try add(operands[0])
      format += " \(symbol) "
      try add(operands[1])
      format += ")"
    default: throw Self.refusal("\(operand)")
    }
  }

  private mutating func add(
    _ value: Value, of operand: Predicate.Operand
  ) throws(CodeRefusal) {
    switch value {
    case .null: format += "nil"
    case .bool(let bool): format += bool ? "YES" : "NO"
    // Numbers keep all their digits in the format.
    case .integer(let integer): format += "\(integer)"
    case .real(let real) where real.isFinite: format += Value.real(real).json
    case .real, .record: throw Self.refusal("\(operand)")
    case .string, .date, .data, .array:
      format += "%@"
      arguments.append(.value(value))
    }
  }

  private static func refusal(_ text: String) -> CodeRefusal {
    CodeRefusal("`\(text)` has no counterpart in NSPredicate", use: "library")
  }

  /// The words that mean something else in a format.
  private static let reserved: Set<String> = [
    "all", "and", "any", "anykey", "beginswith", "between", "cast", "contains", "endswith", "false",
    "falsepredicate", "first", "function", "in", "last", "like", "matches", "nil", "no", "none",
    "not", "null", "or", "self", "size", "some", "subquery", "true", "truepredicate", "yes",
  ]
}
