extension Predicate: CustomStringConvertible {
  /// The predicate as it is typed, with the necessary parentheses. Parsed, it is the same predicate.
  public var description: String {
    switch self {
    case .comparison(let comparison): comparison.description
    case .boolean(let operand): operand.description
    case .not(let predicate): "not \(predicate.parenthesized)"
    case .and(let predicates): Self.joined(predicates, " and ", none: true)
    case .or(let predicates): Self.joined(predicates, " or ", none: false)
    }
  }

  private static func joined(_ parts: [Predicate], _ word: String, none: Bool) -> String {
    parts.isEmpty ? "\(none)" : parts.map(\.parenthesized).joined(separator: word)
  }

  private var parenthesized: String {
    switch self {
    case .comparison, .boolean: description
    case .not, .and, .or: "(\(self))"
    }
  }
}

/// Predicates are equal if they are typed alike.
extension Predicate: Hashable {
  public static func == (a: Predicate, b: Predicate) -> Bool { a.description == b.description }
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
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
    case .value(let value): value.typed
    case .object: "SELF"
    case .key(let path): Self.text(of: path)
    case .path(let operand, let path): operand.textBeforePath + Self.suffix(path)
    case .array(let operands): "[" + operands.map(\.description).joined(separator: ", ") + "]"
    case .record(let pairs):
      "{" + pairs.map { "\(Value.string($0.key).json): \($0.value)" }.joined(separator: ", ") + "}"
    case .predicate(let predicate): "(\(predicate))"
    case .call(let function, let operands): Self.text(of: function, operands)
    case .conditional(let condition, let first, let second):
      "TERNARY(\(condition), \(first), \(second))"
    case .variable(let name): "$\(name)"
    case .subquery(let subquery):
      "SUBQUERY(\(subquery.list), $\(subquery.variable), \(subquery.predicate))"
    }
  }

  /// The operand, in parentheses where a key path after it would belong to a part of it.
  private var textBeforePath: String {
    switch self {
    case .value(.string), .object, .array, .record, .predicate, .conditional, .variable, .subquery:
      description
    case .call(let function, _):
      function.infix == nil ? description : "(\(self))"
    case .value, .key, .path: "(\(self))"
    }
  }

  private var isInfix: Bool {
    if case .call(let function, _) = self { function.infix != nil } else { false }
  }

  private static func text(
    of function: ValueFunction, _ operands: [Predicate.Operand]
  ) -> String {
    if let infix = function.infix, operands.count == 2 {
      return operands.map { $0.isInfix ? "(\($0))" : $0.description }
        .joined(separator: " \(infix) ")
    }
    let list = operands.map(\.description).joined(separator: ", ")
    return function.isCast ? "CAST(\(list))" : "\(function.shortName)(\(list))"
  }
}

// Key paths in predicates, where a bare word is a key and a quoted word a string.
extension Predicate.Operand {
  private static func text(of path: ObjectKeyPath) -> String {
    let text = words(path)
    guard case .key(let key)? = path.steps.first, text.first != "\"", isKey(key) else {
      return "SELF" + suffix(path)
    }
    return text
  }

  /// The path after an operand: `.name[0]`.
  private static func suffix(_ path: ObjectKeyPath) -> String {
    let text = words(path)
    return text.isEmpty || text.first == "[" ? text : "." + text
  }

  private static func words(_ path: ObjectKeyPath) -> String {
    path.steps.reduce(into: "") { text, step in
      let dot = text.isEmpty ? "" : "."
      switch step {
      case .index, .range: text += ObjectKeyPath([step]).description
      case .collection: text += dot + ObjectKeyPath([step]).description
      case .key(let key):
        let word = ObjectKeyPath([step]).description
        let isPlain = word.first == "\"" || !key.utf8.contains(where: isOperator)
        text += dot + (isPlain ? word : Value.string(key).json)
      }
    }
  }

  /// Whether the byte ends a word in an expression.
  private static func isOperator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "!"),
      UInt8(ascii: "&"):
      true
    default: false
    }
  }

  /// Whether a bare word is a key, and not a literal, a keyword or a variable.
  private static func isKey(_ word: String) -> Bool {
    guard case .string = Value(literal: word), word.first != "$", word.first != "%" else {
      return false
    }
    return !reserved.contains(word.lowercased())
  }

  private static let reserved = Set(
    [
      "true", "false", "null", "nil", "self", "yes", "no", "not", "and", "or", "truepredicate",
      "falsepredicate", "**",
    ] + ArithmeticOperator.allCases.map(\.rawValue)
      + ComparisonOperator.Quantifier.allCases.map(\.rawValue)
      + ComparisonOperator.Kind.allCases.map { $0.rawValue.lowercased() })
}

extension ValueFunction {
  /// The operator between two operands.
  fileprivate var infix: String? {
    arithmeticOperator?.rawValue ?? (name == "raise:toPower:" ? "**" : nil)
  }

  fileprivate var isCast: Bool { name == "castObject:toType:" }
}
