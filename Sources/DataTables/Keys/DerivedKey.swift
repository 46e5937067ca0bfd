/// A key that is computed from a string, a date or a number: `firstCharacter`, `year`, `rounded`.
///
/// Equal values give equal results, so that a key is derived once for each distinct value.
public struct DerivedKey: Sendable {
  public let name: String
  /// One line for help: `the first character, nothing for ""`.
  public let summary: String
  let function: Function

  enum Function: Sendable {
    case string(@Sendable (String) -> Value)
    case date(@Sendable (CivilTime) -> Int)
    case number(@Sendable (Double) -> Double)
    /// The value itself, for objects that are no records.
    case itself
  }

  /// Every derived key, in the order of help.
  public static let all: [DerivedKey] =
    stringKeys + dateKeys + numberKeys + [
      DerivedKey(
        name: "SELF", summary: "the object itself, where it is no record", function: .itself)
    ]

  private static let byName = Dictionary(
    all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  static func named(_ name: String) -> DerivedKey? { byName[name] }

  /// The derived value; null for a value that the key is not for.
  func evaluate(_ value: Value) -> Value {
    switch (function, value) {
    case (.string(let function), .string(let string)): function(string)
    case (.date(let function), .date(let date)): .integer(function(date.civil()))
    case (.date(let function), .string(let string)):
      Self.date(string).map { .integer(function($0.civil())) } ?? .null
    case (.itself, _): value
    case (.number, .integer): value
    case (.number(let function), .real(let real)): Self.whole(function(real.value), of: real)
    default: .null
    }
  }

  func isFor(_ type: ValueType) -> Bool {
    switch function {
    case .string: type == .string
    case .date: type == .date || type == .string
    case .number: type == .number
    case .itself: type != .record && type != .array && type != .null
    }
  }

  private static func date(_ string: String) -> Timestamp? {
    var string = string
    return string.withUTF8 { Scalar.date(UnsafeRawBufferPointer($0)) }
  }

  private static func whole(_ double: Double, of real: Real) -> Value {
    if let integer = Int(exactly: double) { return .integer(integer) }
    // Beyond 64 bits every double is whole, and the text has more digits than the double.
    return .real(real)
  }
}
