/// An option for reading data that formats support: a label of `load`, `remote` and `set`.
///
/// A format declares the options that it supports. Options with a property of ``ReadOptions`` are
/// declared in this module; a format in another module can declare options of its own, whose values
/// are in ``ReadOptions/subscript(_:)``.
public struct ReadOption: Sendable {
  /// The type of the values.
  public enum Kind: Sendable {
    case boolean
    case string
    /// Strings with commas between them.
    case strings
    /// One ASCII character, or `tab`; the value is a string of one character.
    case character
    /// One ASCII character, `tab` or `none`; the value is a string.
    case characterOrNone
    case integer(ClosedRange<Int>)
    /// Integers with commas between them.
    case integers(ClosedRange<Int>)
    /// A string, or a number from 1.
    case nameOrNumber
    /// A key path that consists of keys and indexes; the value is a string.
    case keyPath
    /// One of some words, with the noun for a word in errors.
    case choice(String, [String])
    /// An encoding.
    case encoding
    /// A record of type names by key.
    case types
  }

  public let name: String
  public let kind: Kind
  /// One clause for help.
  public let summary: String
  /// A value for help.
  public let example: String
  /// Whether giving the option selects the format that supports it, unless the content rules it out.
  private(set) var selectsFormat = false
  /// Whether the option may be given repeatedly: a value adds to those before it.
  package private(set) var isRepeatable = false
  private let set: @Sendable (Value?, inout ReadOptions) throws(TableError) -> Void

  /// An option whose value is kept in ``ReadOptions/subscript(_:)``.
  public init(_ name: String, _ kind: Kind, _ summary: String, example: String) {
    self.init(name, kind, summary, example: example) { value, options in
      options.values[name] = value
    }
  }

  /// - Parameter set: applies a value of the kind; nil restores the default.
  init(
    _ name: String, _ kind: Kind, _ summary: String, example: String,
    _ set: @escaping @Sendable (Value?, inout ReadOptions) throws(TableError) -> Void
  ) {
    self.name = name
    self.kind = kind
    self.summary = summary
    self.example = example
    self.set = set
  }

  /// A copy that selects the format.
  func selectingFormat() -> ReadOption {
    var copy = self
    copy.selectsFormat = true
    return copy
  }

  /// A copy that may be given repeatedly.
  private var repeatable: ReadOption {
    var copy = self
    copy.isRepeatable = true
    return copy
  }

  /// Applies a value of the option's kind; nil restores the default.
  /// - Throws: ``TableError/badArgument(_:)``.
  public func apply(_ value: Value?, to options: inout ReadOptions) throws(TableError) {
    try set(value, &options)
    options.note(self, value)
  }
}

extension ReadOption {
  public static let delimiter = ReadOption(
    "delimiter", .character, "one character between fields", example: "\";\""
  ) { value, options in
    options.delimiter = value?.string?.utf8.first
  }
  public static let quote = ReadOption(
    "quote", .characterOrNone, "one character around fields, or none", example: "none"
  ) { value, options in
    options.quote = value?.string.map { text in
      text == "none" ? QuoteCharacter.none : text.utf8.first.map { .character($0) } ?? .none
    }
  }
  public static let escape = ReadOption(
    "escape", .character, "one character that makes the next one ordinary", example: "\"\\\\\""
  ) { value, options in
    options.escape = value?.string?.utf8.first
  }
  public static let skip = ReadOption(
    "skip", .integer(0...Int.max), "number of lines before the table", example: "1"
  ) { value, options in
    options.skippedLines = value?.integer
  }
  public static let keys = ReadOption(
    "keys", .strings, "keys of a file without a header, or instead of it",
    example: "[code, name]"
  ) { value, options throws(TableError) in
    options.keys = value?.strings
    var known: Set<String> = []
    if let twice = options.keys?.first(where: { !known.insert($0).inserted }) {
      throw .badArgument("`keys:` has `\(twice)` twice; each key needs its own name")
    }
  }
  public static let header = ReadOption(
    "header", .boolean, "true if the first line has keys, false if not", example: "false"
  ) { value, options in
    options.hasHeader = value?.bool
  }
  public static let types = ReadOption(
    "types", .types, "types of keys, in place of the detected types", example: "{zip: string}"
  ) { value, options throws(TableError) in
    options.types = [:]
    guard case .record(let record)? = value else { return }
    for (key, type) in zip(record.keys, record.values) {
      guard let name = type.string, let type = RequestedType(name) else {
        throw .badArgument("unknown type \(type.json)")
      }
      options.types[key] = type
    }
  }.repeatable
  public static let nulls = ReadOption(
    "nulls", .strings, "words that mean null, like an empty field", example: "NA, \"-\""
  ) { value, options in
    options.nulls = value?.strings ?? []
  }.repeatable
  public static let dates = ReadOption(
    "dates", .choice("order", WrittenDate.Order.allCases.map(\.rawValue)),
    "order of day, month and year, as in 01/02/2024", example: "d/m/y"
  ) { value, options in
    options.dateOrder = value?.string
  }
  public static let decimal = ReadOption(
    "decimal", .character, "decimal point of numbers", example: "\",\""
  ) { value, options throws(TableError) in
    let point = value?.string?.utf8.first ?? NumberStyle().decimal
    guard point != UInt8(ascii: "-"), point != UInt8(ascii: "+"), point > UInt8(ascii: " "),
      point &- UInt8(ascii: "0") >= 10, point | 0x20 != UInt8(ascii: "e")
    else { throw .badArgument("`decimal:` must be a character such as `,`") }
    options.numberStyle.decimal = point
  }
  public static let thousands = ReadOption(
    "thousands", .string, "separator of thousands in numbers", example: "\".\""
  ) { value, options throws(TableError) in
    let separator = Array((value?.string ?? "").utf8)
    guard value?.string?.count ?? 1 == 1, !separator.contains(where: \.isSignOrDigit) else {
      throw .badArgument("`thousands:` must be one character such as `.`")
    }
    options.numberStyle.thousands = separator
  }
  public static let unit = ReadOption(
    "unit", .strings, "words before or after numbers to ignore", example: "\"$\", km"
  ) { value, options throws(TableError) in
    let units = (value?.strings ?? []).map { Array($0.utf8) }
    guard units.allSatisfy({ !$0.isEmpty && !$0.contains(where: \.isSignOrDigit) }) else {
      throw .badArgument("`unit:` must be words without digits and signs, such as `$`")
    }
    options.numberStyle.units = units
  }.repeatable
  public static let accounting = ReadOption(
    "accounting", .boolean, "true for negative numbers such as (5) and 5-", example: "true"
  ) { value, options in
    options.numberStyle.isAccounting = value?.bool ?? false
  }
  /// The options for how the strings of cells become numbers, dates and bools.
  public static let cellTypes = [types, nulls, dates, decimal, thousands, unit, accounting]

  public static let comment = ReadOption(
    "comment", .string, "prefix of lines to skip", example: "\"#\""
  ) { value, options in
    options.commentPrefix = value?.string
  }
  public static let encoding = ReadOption(
    "encoding", .encoding, "character encoding", example: "UTF-8"
  ) { value, options in
    options.encoding = value?.string
  }
  public static let strict = ReadOption(
    "strict", .boolean, "true to fail at the first row with an error", example: "true"
  ) { value, options in
    options.isStrict = value?.bool ?? false
  }
  public static let keyPath = ReadOption(
    "keyPath", .keyPath, "location of the objects in a document", example: "data.items"
  ) { value, options throws(TableError) in
    options.keyPath = try value?.string.map { text throws(TableError) in
      try ObjectKeyPath(parsing: text)
    }
  }
  public static let relaxed = ReadOption(
    "relaxed", .boolean, "true for JSON5: comments, NaN, trailing commas",
    example: "true"
  ) { value, options in
    options.values["relaxed"] = value
  }
  public static let table = ReadOption(
    "table", .nameOrNumber, "name of a table in a database, number of one in HTML",
    example: "people"
  ) { value, options in
    options.values["table"] = value
  }
  /// A string, not a choice: other formats have rows of other names.
  public static let rows = ReadOption(
    "rows", .string, "object, values or columns; in XML, an element",
    example: "values"
  ) { value, options in
    options.values["rows"] = value
  }
}

extension UInt8 {
  fileprivate var isSignOrDigit: Bool {
    isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "+")
  }
}

extension Value {
  fileprivate var integer: Int? { if case .integer(let integer) = self { integer } else { nil } }
  fileprivate var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
  fileprivate var strings: [String]? {
    if case .array(let values) = self { values.compactMap(\.string) } else { nil }
  }
}
