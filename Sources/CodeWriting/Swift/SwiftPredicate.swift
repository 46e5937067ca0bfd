import DataTables

/// Predicates as conditions of Swift on a row.
///
/// A comparison with null is false except for `==` and `!=`, as with Swift's optionals.
struct SwiftPredicate {
  /// `food`, `$0`
  let row: String
  var rowType: SwiftRow

  /// - Parameter breaking: whether each part of `and` or `or` begins a line.
  mutating func condition(
    _ predicate: Predicate, breaking: Bool = false
  ) throws(CodeRefusal) -> String {
    let space = breaking ? "\n  " : " "
    switch predicate {
    case .comparison(let comparison): return try condition(comparison)
    case .boolean(let operand):
      let value = try expression(operand)
      guard value.shape.kind == .bool else { throw Self.refusal("\(predicate)") }
      return value.shape.isOptional ? "\(value.text) == true" : value.text
    case .not(let inner): return "!(\(try condition(inner)))"
    case .and(let parts): return try joined(parts, space + "&& ", none: "true")
    case .or(let parts): return try joined(parts, space + "|| ", none: "false")
    }
  }

  private mutating func joined(
    _ parts: [Predicate], _ symbol: String, none: String
  ) throws(CodeRefusal) -> String {
    var texts: [String] = []
    let other = none == "true" ? "false" : "true"
    for part in parts {
      let text = try condition(part)
      // The type of a property can decide a part.
      if text == none { continue }
      if text == other { return other }
      switch part {
      case .and, .or: texts.append("(\(text))")
      default: texts.append(text)
      }
    }
    if texts.isEmpty { return none }
    return texts.joined(separator: symbol)
  }

  private static func refusal(_ text: String) -> CodeRefusal {
    CodeRefusal("the predicate `\(text)` has no counterpart in plain Swift", use: "library")
  }

  private mutating func condition(
    _ comparison: Predicate.Comparison
  ) throws(CodeRefusal) -> String {
    let operation = comparison.operator
    let left = try expression(comparison.left)
    if let quantifier = operation.quantifier {
      return try quantified(quantifier, left, comparison)
    }
    return try condition(left, comparison)
  }

  /// `ANY tags == 'new'`
  private mutating func quantified(
    _ quantifier: ComparisonOperator.Quantifier, _ left: SwiftExpression,
    _ comparison: Predicate.Comparison
  ) throws(CodeRefusal) -> String {
    guard case .array(let element) = left.shape.kind else { throw Self.refusal("\(comparison)") }
    let list = left.shape.isOptional ? "(\(left.text) ?? [])" : left.text
    let inner = try condition(SwiftExpression(text: "$0", shape: element), comparison)
    // A closure in a closure cannot name both elements `$0`.
    guard row != "$0" else { throw Self.refusal("\(comparison)") }
    return switch quantifier {
    case .any, .some: "\(list).contains { \(inner) }"
    case .all: "\(list).allSatisfy { \(inner) }"
    case .none: "!\(list).contains { \(inner) }"
    }
  }

  private mutating func condition(
    _ left: SwiftExpression, _ comparison: Predicate.Comparison
  ) throws(CodeRefusal) -> String {
    let operation = comparison.operator
    switch operation.kind {
    case .equal, .notEqual:
      return try equality(left, comparison)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard operation.options.isEmpty else { throw Self.refusal("\(comparison)") }
      let right = try expression(comparison.right, like: left.shape)
      guard Self.areOrdered(left.shape, right.shape) else { throw Self.refusal("\(comparison)") }
      return Self.lifted(left, right) { "\($0) \(operation.kind.rawValue) \($1)" }
    case .in:
      guard operation.options.isEmpty, let values = Self.list(comparison.right) else {
        throw Self.refusal("\(comparison)")
      }
      let list = values.filter { Self.fits($0, left.shape) }
        .map { SwiftRow.literal($0, left.shape.required).line }
      return list.isEmpty
        ? "false" : "[\(list.joined(separator: ", "))].contains(\(left.text))"
    case .between:
      guard let values = Self.list(comparison.right), values.count == 2,
        values.allSatisfy({ Self.fits($0, left.shape) }), operation.options.isEmpty
      else { throw Self.refusal("\(comparison)") }
      let low = SwiftRow.literal(values[0], left.shape.required).line
      let high = SwiftRow.literal(values[1], left.shape.required).line
      return Self.lifted(left) { "\(low) <= \($0) && \($0) <= \(high)" }
    case .contains, .beginsWith, .endsWith, .like, .matches:
      guard case .value(.string(let text)) = comparison.right, left.shape.kind == .string else {
        throw Self.refusal("\(comparison)")
      }
      return Self.search(left, operation, text)
    }
  }

  private mutating func equality(
    _ left: SwiftExpression, _ comparison: Predicate.Comparison
  ) throws(CodeRefusal) -> String {
    let operation = comparison.operator
    let symbol = operation.kind.rawValue
    if case .value(.null) = comparison.right {
      if !left.shape.isOptional { return operation.kind == .equal ? "false" : "true" }
      return "\(left.text) \(symbol) nil"
    }
    let folding = operation.options.folding
    if !folding.isEmpty, case .value(.string(let text)) = comparison.right,
      left.shape.kind == .string
    {
      let search = Self.compare(left, text, folding)
      return operation.kind == .equal ? search : "!(\(search))"
    }
    if case .value(let value) = comparison.right, !Self.fits(value, left.shape) {
      return operation.kind == .equal ? "false" : "true"
    }
    let right = try expression(comparison.right, like: left.shape)
    return "\(left.text) \(symbol) \(right.text)"
  }

  private static func compare(
    _ left: SwiftExpression, _ text: String, _ folding: ComparisonOperator.Options
  ) -> String {
    let call = "compare(\(SwiftLiteral.string(text)), options: \(options(folding, [])))"
    return "\(left.text)\(left.shape.isOptional ? "?" : "").\(call) == .orderedSame"
  }

  /// A search for a text or a pattern in a string.
  private static func search(
    _ left: SwiftExpression, _ operation: ComparisonOperator, _ text: String
  ) -> String {
    let folding = operation.options.folding
    let dot = left.shape.isOptional ? "?." : "."
    let end = left.shape.isOptional ? " == true" : ""
    let literal = SwiftLiteral.string(text)
    switch operation.kind {
    case .contains where folding.isEmpty: return "\(left.text)\(dot)contains(\(literal))\(end)"
    case .beginsWith where folding.isEmpty:
      return "\(left.text)\(dot)hasPrefix(\(literal))\(end)"
    case .endsWith where folding.isEmpty: return "\(left.text)\(dot)hasSuffix(\(literal))\(end)"
    case .contains: return range(left, literal, options(folding, []))
    case .beginsWith: return range(left, literal, options(folding, [".anchored"]))
    case .endsWith: return range(left, literal, options(folding, [".anchored", ".backwards"]))
    case .like:
      return range(
        left, SwiftLiteral.string("^\(regularExpression(like: text))\\z"),
        options(folding, [".regularExpression"]))
    default:
      return range(
        left, SwiftLiteral.string("^(?:\(text))\\z"), options(folding, [".regularExpression"]))
    }
  }

  private static func range(
    _ left: SwiftExpression, _ literal: String, _ options: String
  ) -> String {
    "\(left.text)\(left.shape.isOptional ? "?." : ".")range(of: \(literal), options: \(options)) != nil"
  }

  private static func options(
    _ folding: ComparisonOperator.Options, _ others: [String]
  ) -> String {
    let all =
      (folding.contains(.caseInsensitive) ? [".caseInsensitive"] : [])
      + (folding.contains(.diacriticInsensitive) ? [".diacriticInsensitive"] : []) + others
    return all.count == 1 ? all[0] : "[\(all.joined(separator: ", "))]"
  }

  /// The pattern of LIKE, in which `*` and `?` stand for any characters and `\` quotes the next one.
  private static func regularExpression(like pattern: String) -> String {
    var result = "(?s:"
    var isQuoted = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case "\\" where !isQuoted:
        isQuoted = true
        continue
      case "*" where !isQuoted: result += ".*"
      case "?" where !isQuoted: result += "."
      case _
      where scalar.isASCII && !scalar.properties.isAlphabetic && scalar.value > 0x20
        && !("0"..."9").contains(scalar):
        result += "\\\(scalar)"
      default: result.unicodeScalars.append(scalar)
      }
      isQuoted = false
    }
    return result + ")"
  }

  // MARK: Operands

  private mutating func expression(
    _ operand: Predicate.Operand, like shape: ValueShape = ValueShape()
  ) throws(CodeRefusal) -> SwiftExpression {
    if let value = operand.constant {
      guard !value.isNull else { throw Self.refusal("\(operand)") }
      let own = ValueShape(of: [value])
      let target = shape.kind == .nothing ? own : shape.required
      return SwiftExpression(text: SwiftRow.literal(value, target).line, shape: target)
    }
    switch operand {
    case .object: return SwiftExpression(text: row, shape: rowType.shape)
    case .key(let path):
      let property = try rowType.property(for: path)
      let text = property.text == "self" ? row : "\(row).\(property.text)"
      return SwiftExpression(text: text, shape: property.shape)
    case .call(let function, let operands):
      guard operands.count == 2, let symbol = Self.symbols[function.name] else {
        throw Self.refusal("\(operand)")
      }
      let left = try expression(operands[0])
      let right = try expression(operands[1], like: left.shape)
      guard left.shape == right.shape, !left.shape.isOptional,
        left.shape.kind == .double || left.shape.kind == .integer && symbol != "/"
      else { throw Self.refusal("\(operand)") }
      return SwiftExpression(
        text: "(\(left.text) \(symbol) \(right.text))", shape: left.shape)
    default: throw Self.refusal("\(operand)")
    }
  }

  private static let symbols = [
    "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
  ]

  private static func list(_ operand: Predicate.Operand) -> [Value]? {
    if case .array(let values)? = operand.constant { return values }
    return nil
  }

  /// Whether a value has a type that is compared with the shape.
  private static func fits(_ value: Value, _ shape: ValueShape) -> Bool {
    switch (value, shape.kind) {
    case (.string, .string), (.bool, .bool), (.date, .date), (.data, .data): true
    case (.integer, .integer), (.integer, .double), (.integer, .decimal), (.real, .double),
      (.real, .decimal):
      true
    default: false
    }
  }

  private static func areOrdered(_ left: ValueShape, _ right: ValueShape) -> Bool {
    switch left.kind {
    case .integer, .double, .decimal, .string, .date: left.kind == right.kind
    default: false
    }
  }

  /// A comparison that is false if an operand is nil.
  private static func lifted(
    _ left: SwiftExpression, _ right: SwiftExpression, _ compare: (String, String) -> String
  ) -> String {
    if !right.shape.isOptional { return lifted(left) { compare($0, right.text) } }
    if !left.shape.isOptional { return lifted(right) { compare(left.text, $0) } }
    return "\(left.text).flatMap { left in \(right.text).map { "
      + compare("left", "$0") + " } } ?? false"
  }

  private static func lifted(
    _ operand: SwiftExpression, _ compare: (String) -> String
  ) -> String {
    guard operand.shape.isOptional else { return compare(operand.text) }
    return "(\(operand.text).map { \(compare("$0")) } ?? false)"
  }
}
