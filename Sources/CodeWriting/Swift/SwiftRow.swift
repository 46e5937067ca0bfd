import DataTables

/// An expression of Swift and the shape of its value.
struct SwiftExpression {
  var text: String
  var shape: ValueShape
}

/// The type of the rows of an app: a struct with a property for each key, or a type of the standard
/// library for objects that are not records.
struct SwiftRow {
  /// `Food`, `String`
  let type: String
  /// `food`
  let variable: String
  /// `foods`
  let plural: String
  let shape: ValueShape
  /// The property of each key.
  private let properties: [String: String]
  /// Properties that are computed from others, by their key path.
  private(set) var computed: [Computed] = []
  private var names: UniqueNames

  struct Computed {
    let path: ObjectKeyPath
    let name: String
    let type: String
    let body: String
    let shape: ValueShape

    /// The key path, or the text that it stands for.
    var title: String {
      if path.steps.count == 1, case .key(let key) = path.steps[0] { key } else { "\(path)" }
    }
  }

  /// - Parameters:
  ///   - plural: the name of the data in the session: `foods`.
  ///   - shape: the shape of the objects.
  init(_ plural: String, shape: ValueShape) throws(CodeRefusal) {
    self.shape = shape.required
    var names = UniqueNames(["id"])
    var properties: [String: String] = [:]
    for field in shape.fields {
      properties[field.key] =
        field.key == "id" ? "id" : names.unique(SwiftLiteral.identifiers.lower(field.key))
    }
    self.properties = properties
    self.names = names
    let singular = SwiftLiteral.identifiers.singular(plural)
    switch shape.kind {
    case .record: type = singular
    case .nothing:
      throw CodeRefusal(
        "the types of the rows are not known, because \(plural) has no objects",
        fix: "fetch it first", use: nil)
    default: type = try Self.type(of: shape.required, named: singular, key: "SELF")
    }
    let variable = SwiftLiteral.identifiers.lower(singular)
    self.variable = SwiftLiteral.locals.contains(variable) ? variable + "Row" : variable
    let name = Self.list(plural)
    self.plural = name == self.variable ? name + "Rows" : name
  }

  /// The name of a variable with rows.
  static func list(_ source: String) -> String {
    let name = SwiftLiteral.identifiers.lower(source)
    return SwiftLiteral.locals.contains(name) ? name + "List" : name
  }

  /// The type of a value.
  /// - Parameter name: the type of a record.
  static func type(
    of shape: ValueShape, named name: String, key: String
  ) throws(CodeRefusal) -> String {
    let type: String
    switch shape.kind {
    case .nothing, .string: type = "String"
    case .bool: type = "Bool"
    case .integer: type = "Int"
    case .double: type = "Double"
    case .decimal: type = "Decimal"
    case .data: type = "Data"
    case .date: type = "Date"
    case .record: type = name
    case .array(let element): type = "[\(try Self.type(of: element, named: name, key: key))]"
    case .mixed(let types):
      let list = types.map { "\($0)s" }.joined(separator: " and ")
      throw CodeRefusal(
        "the values of `\(key)` are \(list), for which Swift has no common type", use: "library")
    }
    // A key that is always null has some type.
    return shape.isOptional || shape.kind == .nothing ? type + "?" : type
  }

  /// The struct; nothing for rows of a type of the standard library.
  func add(to text: inout CodeText) throws(CodeRefusal) {
    if case .record = shape.kind {
      var declared = CodeText(step: 2)
      try Self.declare(type, shape.fields, properties, to: &declared)
      text.add(declared.lines)
    }
    guard !computed.isEmpty else { return }
    text.separate()
    text.block("extension \(type)") { text in
      for property in computed {
        text.comment("`\(property.title)`", sign: "///")
        let line = "var \(property.name): \(property.type) { \(property.body) }"
        if line.count <= text.room, !line.contains("\n") {
          text.add(line)
        } else {
          text.block("var \(property.name): \(property.type)") { $0.add(property.body) }
        }
      }
    }
  }

  private static func declare(
    _ name: String, _ fields: [ValueShape.Field], _ properties: [String: String],
    to text: inout CodeText
  ) throws(CodeRefusal) {
    var lines: [String] = []
    var nested: [(String, [ValueShape.Field])] = []
    for field in fields {
      let property = properties[field.key] ?? field.key
      let record = SwiftLiteral.identifiers.singular(field.key)
      let type = try Self.type(of: field.shape, named: record, key: field.key)
      lines.append("var \(property): \(type)")
      if let inner = field.shape.innerFields { nested.append((record, inner)) }
    }
    let renamed = fields.contains { properties[$0.key] != $0.key }
    var inner = CodeText(step: 2)
    for (name, fields) in nested {
      var names = UniqueNames()
      let properties = Dictionary(
        fields.map { ($0.key, names.unique(SwiftLiteral.identifiers.lower($0.key))) },
        uniquingKeysWith: { first, _ in first })
      inner.separate()
      try declare(name, fields, properties, to: &inner)
    }
    text.block("struct \(name): Hashable, Decodable") { text in
      text.add(lines)
      if !inner.lines.isEmpty {
        text.separate()
        text.add(inner.lines)
      }
      guard renamed else { return }
      text.separate()
      text.block("private enum CodingKeys: String, CodingKey") { text in
        for field in fields {
          let property = properties[field.key] ?? field.key
          let value = property == field.key ? "" : " = \(SwiftLiteral.string(field.key))"
          text.add("case \(property)\(value)")
        }
      }
    }
  }

  // MARK: Values

  /// An object as an initializer of the type.
  func literal(_ object: Value) -> Argument {
    Self.literal(object, shape, type, properties)
  }

  static func literal(_ value: Value, _ shape: ValueShape) -> Argument {
    literal(value, shape, "", [:])
  }

  private static func literal(
    _ value: Value, _ shape: ValueShape, _ type: String, _ properties: [String: String]
  ) -> Argument {
    switch (value, shape.kind) {
    case (.null, _): return "nil"
    case (.bool(let bool), _): return .text("\(bool)")
    case (.string(let string), _): return .text(SwiftLiteral.string(string))
    case (.integer(let integer), .decimal):
      return .text("Decimal(string: \"\(integer)\") ?? 0")
    case (.integer(let integer), _): return .text("\(integer)")
    case (.real(let real), .decimal):
      return .text("Decimal(string: \"\(Value.real(real).json)\") ?? 0")
    case (.real(let real), _):
      if real.value.isNaN { return ".nan" }
      if real.value.isInfinite { return .text("\(real.value < 0 ? "-" : "").infinity") }
      return .text("\(real.value)")
    case (.date(let date), _): return .text(Self.date(date))
    case (.data(let bytes), _):
      return .text("Data([\(bytes.map(String.init).joined(separator: ", "))])")
    case (.array(let elements), .array(let element)):
      return .list(elements.map { literal($0, element, type, [:]) })
    case (.record(let record), .record(let fields)):
      var names = UniqueNames()
      let arguments = fields.map { field in
        let name =
          properties[field.key] ?? names.unique(SwiftLiteral.identifiers.lower(field.key))
        let nested = SwiftLiteral.identifiers.singular(field.key)
        return literal(record[field.key] ?? .null, field.shape, "\(type).\(nested)", [:])
          .labeled(name)
      }
      return .call("\(type)(", arguments)
    default: return .text(SwiftLiteral.string(value.json))
    }
  }

  /// Whether a value has the shape, so that its literal has its value.
  static func isLiteral(_ value: Value, _ shape: ValueShape) -> Bool {
    switch (value, shape.kind) {
    case (.null, _): return shape.isOptional
    case (.bool, .bool), (.string, .string), (.date, .date), (.data, .data): return true
    case (.integer, .integer), (.integer, .double), (.integer, .decimal): return true
    case (.real, .double), (.real, .decimal): return true
    case (.array(let elements), .array(let element)):
      return elements.allSatisfy { isLiteral($0, element) }
    case (.record(let record), .record(let fields)):
      return record.keys.allSatisfy { key in fields.contains { $0.key == key } }
        && fields.allSatisfy { isLiteral(record[$0.key] ?? .null, $0.shape) }
    default: return false
    }
  }

  static func date(_ date: Timestamp) -> String {
    "Date(timeIntervalSince1970: \(seconds(date)))"
  }

  /// Seconds since 1970 in GMT. The whole seconds before 1970 are below the date.
  static func seconds(_ date: Timestamp) -> String {
    if date.nanoseconds == 0 { return "\(date.secondsFromGMT)" }
    if date.secondsFromGMT >= 0 { return "\(date.secondsFromGMT).\(digits(date.nanoseconds))" }
    let (seconds, rest) = (date.secondsFromGMT + 1, 1_000_000_000 - date.nanoseconds)
    return "-\(-seconds).\(digits(rest))"
  }

  private static func digits(_ nanoseconds: Int) -> String {
    let text = String(nanoseconds)
    return String(repeating: "0", count: 9 - text.count) + text
  }

  /// The property of a key of the row.
  func name(of key: String) -> String { properties[key] ?? key }

  // MARK: Key paths

  /// The property for a key path, computed unless it is a key of the row.
  mutating func property(for path: ObjectKeyPath) throws(CodeRefusal) -> SwiftExpression {
    if path.steps.count == 1, case .key(let key) = path.steps[0], let name = properties[key],
      let field = shape.fields.first(where: { $0.key == key })
    {
      return SwiftExpression(text: name, shape: field.shape)
    }
    if let known = computed.first(where: { $0.path == path }) {
      return SwiftExpression(text: known.name, shape: known.shape)
    }
    if path.steps.isEmpty || path == ObjectKeyPath(key: "SELF") {
      return SwiftExpression(text: "self", shape: shape)
    }
    let body = try expression(path)
    let words = path.description
    let name = names.unique(SwiftLiteral.identifiers.lower(words))
    let type = try Self.type(of: body.shape, named: type, key: words)
    computed.append(
      Computed(path: path, name: name, type: type, body: body.text, shape: body.shape))
    return SwiftExpression(text: name, shape: body.shape)
  }

  /// A further computed property.
  mutating func add(
    _ name: String, type: String, body: String, shape: ValueShape, for path: ObjectKeyPath
  ) -> String {
    let name = names.unique(name)
    computed.append(Computed(path: path, name: name, type: type, body: body, shape: shape))
    return name
  }

  /// A key path on the row, inside of an extension of its type.
  private func expression(_ path: ObjectKeyPath) throws(CodeRefusal) -> SwiftExpression {
    var result = SwiftExpression(text: "self", shape: shape)
    var isFirst = true
    for step in path.steps {
      guard case .key(let key) = step else { throw Self.refusal(path) }
      if let field = result.shape.fields.first(where: { $0.key == key }) {
        let name = isFirst ? properties[key] ?? key : SwiftLiteral.identifiers.lower(key)
        let lead = isFirst ? "" : result.text + (result.shape.isOptional ? "?." : ".")
        result = SwiftExpression(
          text: lead + name,
          shape: ValueShape(
            field.shape.kind, isOptional: field.shape.isOptional || result.shape.isOptional))
      } else if let derived = SwiftDerivedKey(key, of: result) {
        result = derived.expression
      } else {
        throw Self.refusal(path)
      }
      isFirst = false
    }
    return result
  }

  private static func refusal(_ path: ObjectKeyPath) -> CodeRefusal {
    CodeRefusal("the key path `\(path)` has no counterpart in plain Swift", use: "library")
  }
}

extension ValueShape {
  /// The fields of a record, or of the records of an array.
  fileprivate var innerFields: [Field]? {
    switch kind {
    case .record(let fields): fields
    case .array(let element): element.innerFields
    default: nil
    }
  }
}
