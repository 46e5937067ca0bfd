import DataSources
import DataTables

/// The function that makes sections from rows, as it is being written.
struct SwiftFunction {
  var row: SwiftRow
  /// The type of the sections: `LettersSection`.
  let section: String
  var statements = CodeText(step: 2, margin: 4)
  /// Functions that the statements call.
  private(set) var helpers: [String] = []
  /// The names of the variables, after those of loops.
  var names = UniqueNames(["index", "name", "place", "sections", "selector", "title"])
  /// Whether the statements need the calendar of date keys.
  var needsCalendar = false
  var needsCollation = false

  init(row: SwiftRow, section: String) {
    self.row = row
    self.section = section
    _ = names.unique(row.variable)
  }

  /// Adds a function, unless it is there already.
  mutating func add(helper: String) {
    if !helpers.contains(helper) { helpers.append(helper) }
  }

  mutating func filtered(
    _ value: String, by predicate: Predicate
  ) throws(CodeRefusal) -> String {
    "\(value)\(Self.link).filter\(try closure(predicate))"
  }

  /// Stands for `self`, which is not written before a property. No literal contains it.
  private static let own = "\u{2}"

  /// Precedes each call of a chain, which may begin a line.
  static let link = "\u{1}"

  /// The longest condition in a closure; a longer one is a property of the rows.
  private static let longestCondition = 40

  /// A closure, or the key path of a property, that tests a row.
  mutating func closure(
    _ predicate: Predicate, negated: Bool = false
  ) throws(CodeRefusal) -> String {
    var writer = SwiftPredicate(row: row.variable, rowType: row)
    let text = try writer.condition(predicate)
    row = writer.rowType
    if text.count <= Self.longestCondition {
      return " { \(row.variable) in \(negated ? "!(\(text))" : text) }"
    }
    let property = try conditionProperty(predicate)
    return negated ? " { !$0.\(property) }" : "(\\.\(property))"
  }

  private mutating func conditionProperty(
    _ predicate: Predicate
  ) throws(CodeRefusal) -> String {
    var writer = SwiftPredicate(row: Self.own, rowType: row)
    let text = try writer.condition(predicate, breaking: true)
      .replacing(Self.own + ".", with: "").replacing(Self.own, with: "self")
    row = writer.rowType
    let path = ObjectKeyPath(key: "\(predicate)")
    if let known = row.computed.first(where: { $0.path == path }) { return known.name }
    return row.add(
      "isMatch", type: "Bool", body: text, shape: ValueShape(.bool), for: path)
  }

  /// The statement `LEAD VALUE END`, in several lines if it is too long.
  mutating func write(_ lead: String, _ value: String, _ end: String = "") {
    let line = lead + value.replacing(Self.link, with: "") + end
    if line.count <= statements.room { return statements.add(line) }
    let parts = value.split(separator: Self.link).map(String.init)
    // A call around the chain has it on lines of its own.
    if lead.hasSuffix("(") {
      return statements.add(lead + "\n  " + parts.joined(separator: "\n    ") + end)
    }
    let isCall = parts[0].contains("(")
    let head = isCall ? lead + parts[0] : lead.dropLast() + "\n  " + parts[0]
    statements.add(([head] + parts.dropFirst()).joined(separator: "\n  ") + end)
  }

  func limited(_ value: String, _ request: ContentRequest) -> String {
    var value = value
    if request.offset > 0 { value += "\(Self.link).dropFirst(\(request.offset))" }
    if let limit = request.limit { value += "\(Self.link).prefix(\(limit))" }
    return value
  }

  mutating func distinct(
    _ value: String, by keys: [ObjectKeyPath]
  ) throws(CodeRefusal) -> String {
    var parts: [String] = []
    for key in keys {
      let property = try row.property(for: key)
      parts.append(
        property.text == "self" ? row.variable : "\(row.variable).\(property.text)")
    }
    if parts.count > 1 {
      throw CodeRefusal(
        "`distinct` by several keys has no short form in plain Swift", use: "library")
    }
    let seen = names.unique("seen")
    statements.add("var \(seen): Set<\(try keyType(keys))> = []")
    return
      "\(value)\(Self.link).filter { \(row.variable) in \(seen).insert(\(parts.first ?? row.variable)).inserted }"
  }

  private mutating func keyType(_ keys: [ObjectKeyPath]) throws(CodeRefusal) -> String {
    guard let key = keys.first else { return row.type }
    let property = try row.property(for: key)
    return try SwiftRow.type(of: property.shape, named: row.type, key: key.description)
  }

  mutating func sorted(
    _ value: String, by descriptors: [SortDescriptor]
  ) throws(CodeRefusal) -> String {
    var comparators: [Argument] = []
    for descriptor in descriptors {
      comparators += try SwiftOrder.comparators(descriptor, of: &row)
    }
    let list = comparators.map(\.line).joined(separator: ", ")
    if list.count < Self.longestOrder {
      return "\(value)\(Self.link).sorted(using: \(comparators.count == 1 ? list : "[\(list)]"))"
    }
    let order = names.unique("order")
    if comparators.count == 1 {
      statements.add(comparators[0], after: "let \(order) = ")
    } else {
      statements.call("let \(order) = [", comparators, close: "]", trailingComma: true)
    }
    return "\(value)\(Self.link).sorted(using: \(order))"
  }

  /// The longest order in a call; a longer one has a name.
  private static let longestOrder = 72
}
