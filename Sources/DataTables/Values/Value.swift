/// An object at an index path, or the value of one of its keys.
///
/// Groups, index paths, diffs and expectations share one definition of equality: numbers compare by
/// decimal value, strings by canonical equivalence, dates by time; values of different types are
/// unequal.
public enum Value: Sendable {
  case null
  case bool(Bool)
  /// An integer that fits in 64 bits and is written in its shortest form.
  case integer(Int)
  /// Any other number, with the text it was read from.
  case real(Real)
  case string(String)
  case date(Timestamp)
  case data([UInt8])
  case array([Value])
  case record(Record)
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: Value...) { self = .array(elements) }
  public init(dictionaryLiteral pairs: (String, Value)...) { self = .record(Record(pairs)) }
  public init(nilLiteral: ()) { self = .null }
}

extension Value {
  /// The string; nil for a value of another type.
  package var string: String? { if case .string(let string) = self { string } else { nil } }
}

/// The type of a value. Mixed values sort in the order of the cases.
public enum ValueType: Int, Sendable, CaseIterable, Comparable, Codable {
  case null, bool, number, string, date, data, array, record

  public static func < (left: ValueType, right: ValueType) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The name with its article, for messages.
  package var phrase: String {
    switch self {
    case .null: "null"
    case .bool: "a bool"
    case .number: "a number"
    case .string: "a string"
    case .date: "a date"
    case .data: "data"
    case .array: "an array"
    case .record: "a record"
    }
  }
}

extension Value {
  public var type: ValueType {
    switch self {
    case .null: .null
    case .bool: .bool
    case .integer, .real: .number
    case .string: .string
    case .date: .date
    case .data: .data
    case .array: .array
    case .record: .record
    }
  }

  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The value as JSON, shortened for a message.
  package var excerpt: String {
    let text = json
    return text.count > 60 ? text.prefix(57) + "…" : text
  }

  /// The value as JSON, cut after 200 characters.
  package var cutJSON: String { json.cut(to: 200) }
}
