internal import CScan

/// How data is read as a table; nil properties are detected.
///
/// A format supports some of the options (``TableFormat/options``); a load with another option
/// fails.
public struct ReadOptions: Hashable, Sendable {
  /// The name of a format.
  public var format: String?
  public var limits = ReadLimits()
  /// The delimiter of delimited text, a single byte.
  public var delimiter: UInt8?
  /// The quote of delimited text.
  public var quote: QuoteCharacter?
  /// The byte that makes the following byte of delimited text an ordinary character; nil for none.
  public var escape: UInt8?
  /// The number of lines before the table; nil to find the table.
  public var skippedLines: Int?
  /// Whether the first row of the table has the keys; nil to detect that, or false if ``keys`` are
  /// given.
  public var hasHeader: Bool?
  /// The keys, in place of those of the header.
  public var keys: [String]?
  /// Lines that start with this prefix are skipped.
  public var commentPrefix: String?
  public var encoding: String?
  /// Words that mean null, in addition to the empty cell.
  public var nulls: [String] = []
  /// Requested types, by key.
  public var types: [String: RequestedType] = [:]
  /// The order of day, month and year in dates such as 01/02/2024: `d/m/y`, `m/d/y` or `y/m/d`.
  public var dateOrder: String?
  /// How numbers are written.
  public var numberStyle = NumberStyle()
  /// Whether the load fails instead of rejecting a row.
  public var isStrict = false
  /// The key path of the rows in a document. A missing value means no rows; a single object means
  /// one row.
  public var keyPath: ObjectKeyPath?
  /// The values of options without a property, by name.
  var values: [String: Value] = [:]
  /// The values that were given to options, which may be the defaults, by the name of the option.
  private var stated: [String: Value] = [:]

  public init() {}

  /// The limits and the encoding alone, which every attempt to read the same file needs.
  var plain: ReadOptions {
    var plain = ReadOptions()
    plain.limits = limits
    plain.encoding = encoding
    return plain
  }

  /// The value of an option that a format declares; nil if it is not given.
  public subscript(option: ReadOption) -> Value? { values[option.name] }

  /// The names of the given options, in a fixed order: those that were applied, and those whose
  /// property is not the default.
  public var given: [String] {
    let changes = [
      (ReadOption.delimiter, delimiter != nil), (.quote, quote != nil), (.escape, escape != nil),
      (.skip, skippedLines != nil), (.header, hasHeader != nil), (.keys, keys != nil),
      (.comment, commentPrefix != nil), (.encoding, encoding != nil), (.nulls, !nulls.isEmpty),
      (.types, !types.isEmpty), (.dates, dateOrder != nil),
      (.decimal, numberStyle.decimal != NumberStyle().decimal),
      (.thousands, !numberStyle.thousands.isEmpty), (.unit, !numberStyle.units.isEmpty),
      (.accounting, numberStyle.isAccounting),
      (.strict, isStrict), (.keyPath, keyPath != nil),
    ]
    let properties = changes.map(\.0.name)
    let changed = changes.filter { $0.1 || stated[$0.0.name] != nil }.map(\.0.name)
    return changed + Set(stated.keys).union(values.keys).subtracting(properties).sorted()
  }

  /// Notes that an option was given a value, or restored to its default (nil).
  mutating func note(_ option: ReadOption, _ value: Value?) { stated[option.name] = value }

  /// The options that were applied with their values, in the order of ``given``.
  public var settings: [(name: String, value: Value)] {
    given.compactMap { name in (stated[name] ?? values[name]).map { (name, $0) } }
  }

  /// Applies a value to the option with a name.
  ///
  /// - Parameter formats: the formats that declare the option.
  /// - Throws: ``TableError/badArgument(_:)`` for an unknown option or a value that it does not accept.
  public mutating func set(
    _ name: String, to value: Value, of formats: FormatTable = .core
  ) throws(TableError) {
    guard let option = formats.options.first(where: { $0.name == name }) else {
      throw .badArgument("no format has the option `\(name)`")
    }
    try option.apply(value, to: &self)
  }

  var writtenDateOrder: WrittenDate.Order? { dateOrder.flatMap(WrittenDate.Order.init) }

  /// A copy without the values of options that have no property.
  package func removing(_ options: [ReadOption]) -> ReadOptions {
    var copy = self
    for option in options {
      copy.values[option.name] = nil
      copy.stated[option.name] = nil
    }
    return copy
  }

  /// The names that ``encoding`` accepts.
  package static var encodings: [String] { TextEncoding.names }

  /// Whether ``encoding`` accepts `name`, ignoring case and punctuation.
  package static func isEncoding(_ name: String) -> Bool { TextEncoding(named: name) != nil }
}

/// The character that encloses fields of delimited text.
public enum QuoteCharacter: Hashable, Sendable {
  /// Fields are not enclosed, and all quotes are ordinary characters.
  case none
  /// An ASCII character.
  case character(UInt8)
}
