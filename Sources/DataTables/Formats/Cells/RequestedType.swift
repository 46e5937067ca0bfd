/// A type that `types:` requests for the values of a key.
public enum RequestedType: Hashable, Sendable {
  case integer, real, bool, date, string
  /// The values as the format has them.
  case value
  /// Numbers of seconds or milliseconds since 1970-01-01T00:00:00Z, read as dates.
  case seconds, milliseconds
  /// Hexadecimal integers, with or without `0x`.
  case hex
  /// Dates in a form of their own.
  case pattern(DatePattern)

  /// The words that name a type.
  package static let names = [
    "integer", "real", "bool", "date", "string", "value", "seconds", "milliseconds", "hex",
  ]

  /// The type with a name, or the dates of a pattern such as `dd.MM.yyyy`; nil for other words.
  public init?(_ word: String) {
    switch word {
    case "integer": self = .integer
    case "real": self = .real
    case "bool": self = .bool
    case "date": self = .date
    case "string": self = .string
    case "value": self = .value
    case "seconds": self = .seconds
    case "milliseconds": self = .milliseconds
    case "hex": self = .hex
    default:
      guard let pattern = DatePattern(word) else { return nil }
      self = .pattern(pattern)
    }
  }

  /// The type of the values that fit.
  public var type: ColumnType {
    switch self {
    case .integer, .hex: .integer
    case .real: .real
    case .bool: .bool
    case .date, .seconds, .milliseconds, .pattern: .date
    case .string: .string
    case .value: .value
    }
  }

  /// Whether every cell fits.
  var fitsAll: Bool { self == .string || self == .value }

  /// The names of one fitting cell and of several, for reports: `an integer`, `integers`.
  var nouns: (one: String, several: String) {
    switch self {
    case .integer: ("an integer", "integers")
    case .real: ("a number", "numbers")
    case .bool: ("a bool", "bools")
    case .date: ("a date", "dates")
    case .seconds: ("a number of seconds", "numbers of seconds")
    case .milliseconds: ("a number of milliseconds", "numbers of milliseconds")
    case .hex: ("a hexadecimal number", "hexadecimal numbers")
    case .pattern(let pattern):
      ("a date in the form \(pattern.text)", "dates in the form \(pattern.text)")
    case .string, .value: ("a string", "strings")
    }
  }
}
