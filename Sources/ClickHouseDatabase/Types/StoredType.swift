import DataTables

/// The bytes in which `RowBinary` has the values of a column, by the name of its type.
indirect enum StoredType {
  case integer(bytes: Int, isSigned: Bool)
  case real(bytes: Int)
  case decimal(bytes: Int, digits: Int, scale: Int)
  case bool, string, uuid
  case fixedString(Int)
  /// Days since 1970.
  case date(bytes: Int)
  /// Parts of a second since 1970 GMT: 10 to the power of `digits` in a second.
  case dateTime(bytes: Int, digits: Int)
  case enumeration(bytes: Int, names: [String: Int])
  case array(StoredType)
  case tuple([StoredType])
  case nullable(StoredType)
  /// A type that is read only.
  case other

  /// - Parameter text: the type as the server prints it.
  init(_ text: String) { self.init(TypeName(text), depth: 0) }

  private init(_ name: TypeName?, depth: Int) {
    guard let name, depth < 100 else {
      self = .other
      return
    }
    let nested = { StoredType(TypeName($0), depth: depth + 1) }
    let first = name.arguments.first ?? ""
    let numbers = name.arguments.compactMap { Int($0) }
    switch name.name {
    case "Nullable": self = .nullable(nested(first))
    case "LowCardinality": self = nested(first)
    case "Array": self = .array(nested(first))
    case "Tuple":
      self = .tuple(
        name.arguments.map { nested(TypeName.parts(of: $0, separator: " ")?.last ?? "") })
    case "String": self = .string
    case "FixedString": self = numbers.first.map { .fixedString($0) } ?? .other
    case "Bool": self = .bool
    case "UUID": self = .uuid
    case "Date": self = .date(bytes: 2)
    case "Date32": self = .date(bytes: 4)
    case "DateTime": self = .dateTime(bytes: 4, digits: 0)
    case "DateTime64": self = numbers.first.map { .dateTime(bytes: 8, digits: $0) } ?? .other
    case "Float32": self = .real(bytes: 4)
    case "Float64": self = .real(bytes: 8)
    case "Enum8", "Enum16":
      self = .enumeration(
        bytes: name.name == "Enum8" ? 1 : 2, names: Self.enumeration(name.arguments))
    case "Decimal": self = Self.decimal(numbers)
    default: self = Self.integer(name.name)
    }
  }

  /// The type without its nulls.
  var unwrapped: StoredType {
    if case .nullable(let type) = self { type.unwrapped } else { self }
  }

  private static func decimal(_ numbers: [Int]) -> StoredType {
    guard numbers.count == 2, (1...76).contains(numbers[0]), (0...numbers[0]).contains(numbers[1])
    else { return .other }
    let bytes = numbers[0] <= 9 ? 4 : numbers[0] <= 18 ? 8 : numbers[0] <= 38 ? 16 : 32
    return .decimal(bytes: bytes, digits: numbers[0], scale: numbers[1])
  }

  /// `Int8` to `Int256`, `UInt8` to `UInt256`.
  private static func integer(_ name: String) -> StoredType {
    let isSigned = name.hasPrefix("Int")
    guard isSigned || name.hasPrefix("UInt"), let bits = Int(name.drop { !$0.isNumber }),
      [8, 16, 32, 64, 128, 256].contains(bits), name == (isSigned ? "Int" : "UInt") + "\(bits)"
    else { return .other }
    return .integer(bytes: bits / 8, isSigned: isSigned)
  }

  /// The numbers of the names: `'a' = 1`.
  private static func enumeration(_ arguments: [String]) -> [String: Int] {
    var names: [String: Int] = [:]
    for argument in arguments {
      guard let sign = argument.lastIndex(of: "="),
        let number = Int(argument[sign...].dropFirst().filter { $0 != " " }),
        let quote = argument[..<sign].lastIndex(of: "'"), argument.first == "'"
      else { continue }
      let name = Array(argument[..<quote].dropFirst().utf8)
      let bytes = name.withUnsafeBytes { try? TabSeparated.unescaped($0) }
      names[String(decoding: bytes ?? name, as: UTF8.self)] = number
    }
    return names
  }
}
