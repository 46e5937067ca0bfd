import Databases

/// How the cells of a column are read, by the name of its type.
indirect enum ColumnType: Hashable, Sendable {
  /// A number, whose text is kept unless it is a plain 64-bit integer: integers of any size,
  /// intervals, floating-point numbers and decimals.
  case number
  /// `true` or `false`, in servers that have the type.
  case bool
  /// Any bytes.
  case string
  case date
  /// A wall time in a zone; nil for the zone of the server.
  case dateTime(zone: String?)
  case array(ColumnType)
  case tuple([ColumnType])
  /// A type without values.
  case nothing
  /// The text of the server: enumerations, UUIDs, addresses, maps and types that are not known.
  case other

  /// The maximum number of types within types.
  private static let maxDepth = 100

  /// - Parameter name: the name of the type, as the server prints it.
  init(_ name: TypeName, depth: Int = 0) {
    let nested = name.arguments.last.flatMap { TypeName($0) }
    let depth = depth + 1
    switch name.name {
    case "Nullable", "LowCardinality", "SimpleAggregateFunction":
      self = Self.nested(nested, depth: depth) ?? .other
    case "Array":
      self = Self.nested(nested, depth: depth).map { .array($0) } ?? .other
    case "Tuple":
      let types = name.arguments.map { Self.nested(Self.element($0), depth: depth) }
      self = types.contains { $0 == nil } ? .other : .tuple(types.compactMap(\.self))
    case "String", "FixedString": self = .string
    case "Bool": self = .bool
    case "Date", "Date32": self = .date
    case "DateTime": self = .dateTime(zone: name.arguments.first.map(Self.unquoted))
    case "DateTime64": self = .dateTime(zone: name.arguments.dropFirst().first.map(Self.unquoted))
    case "Nothing": self = .nothing
    default: self = Self.isNumber(name.name) ? .number : .other
    }
  }

  private static func nested(_ name: TypeName?, depth: Int) -> ColumnType? {
    guard let name, depth < maxDepth else { return nil }
    return ColumnType(name, depth: depth)
  }

  /// The type of an element of a tuple, which may follow a name: `a UInt8`.
  private static func element(_ text: String) -> TypeName? {
    TypeName.parts(of: text, separator: " ")?.last.flatMap { TypeName($0) }
  }

  private static func unquoted(_ text: String) -> String {
    text.count >= 2 && text.first == "'" ? String(text.dropFirst().dropLast()) : text
  }

  fileprivate static func isNumber(_ name: String) -> Bool {
    isInteger(name) || isReal(name) || name.hasPrefix("Decimal")
  }

  fileprivate static func isInteger(_ name: String) -> Bool {
    name.hasPrefix("Int") || name.hasPrefix("UInt")
  }

  fileprivate static func isReal(_ name: String) -> Bool {
    name.hasPrefix("Float") || name == "BFloat16"
  }
}

extension DatabaseColumn {
  /// - Parameter type: the type as the server prints it.
  init(clickHouse name: String, type: String) {
    let (kind, isNullable) = Self.facts(of: TypeName(type))
    self.init(name: name, declaredType: type, kind: kind, isNullable: isNullable)
  }

  /// Enumerations sort by their numbers and UUIDs by their second half, so they are not `text`.
  private static func facts(
    of name: TypeName?, depth: Int = 0
  ) -> (kind: Kind, isNullable: Bool) {
    guard let name, depth < 100 else { return (.other, true) }
    switch name.name {
    case "Nullable":
      let nested = name.arguments.first.flatMap { TypeName($0) }
      return (facts(of: nested, depth: depth + 1).kind, true)
    case "LowCardinality", "SimpleAggregateFunction":
      return facts(of: name.arguments.last.flatMap { TypeName($0) }, depth: depth + 1)
    case "String", "FixedString": return (.text, false)
    case "Bool": return (.bool, false)
    case "Date", "Date32": return (.date, false)
    case "DateTime", "DateTime64": return (.instant, false)
    case "Nothing": return (.other, true)
    case "Variant", "Dynamic", "JSON", "Object": return (.other, true)
    default: return (numericKind(of: name.name), false)
    }
  }

  private static func numericKind(of name: String) -> Kind {
    if name.hasPrefix("Interval") { return .other }
    if ColumnType.isInteger(name) { return .integer }
    if ColumnType.isReal(name) { return .real }
    return name.hasPrefix("Decimal") ? .decimal : .other
  }
}
