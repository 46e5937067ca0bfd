import DataTables
import Foundation

/// Rows and facts as the text of a cache.
enum CachedRows {
  /// Values that JSON lacks are arrays: `["date", "2020-01-01"]`.
  static func text(of rows: [[Value]]) -> String {
    Value.array(rows.map { .array($0.map(encoded)) }).json
  }

  /// The rows of a text; nil if it has another form.
  static func rows(_ text: String) -> [[Value]]? {
    guard case .array(let rows)? = try? Value(json: text) else { return nil }
    var result: [[Value]] = []
    for row in rows {
      guard case .array(let values) = row else { return nil }
      var decoded: [Value] = []
      for value in values {
        guard let value = self.decoded(value) else { return nil }
        decoded.append(value)
      }
      result.append(decoded)
    }
    return result
  }

  static func text(of facts: ColumnFacts) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(facts)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The facts of a text; nil if it has another form.
  static func facts(_ text: String) -> ColumnFacts? {
    try? JSONDecoder().decode(ColumnFacts.self, from: Data(text.utf8))
  }

  private static func encoded(_ value: Value) -> Value {
    switch value {
    case .null, .bool, .integer, .string: value
    case .real(let real): .array(["real", .string(real.text)])
    case .date(let date): .array(["date", .string(date.text)])
    case .data(let bytes): .array(["data", .string(bytes.map(\.hexadecimal).joined())])
    case .array, .record: .array(["json", .string(value.json)])
    }
  }

  private static func decoded(_ value: Value) -> Value? {
    guard case .array(let parts) = value else { return value }
    guard parts.count == 2, case .string(let kind) = parts[0], case .string(let text) = parts[1]
    else { return nil }
    switch kind {
    case "real":
      guard case .real = Value(literal: text) else { return nil }
      return Value(literal: text)
    case "date":
      guard case .date = Value(literal: text) else { return nil }
      return Value(literal: text)
    case "data":
      let digits = Array(text.utf8)
      guard digits.count.isMultiple(of: 2) else { return nil }
      var bytes: [UInt8] = []
      for index in stride(from: 0, to: digits.count, by: 2) {
        guard let high = digits[index].hexadecimalDigit,
          let low = digits[index + 1].hexadecimalDigit
        else { return nil }
        bytes.append(high << 4 | low)
      }
      return .data(bytes)
    case "json": return try? Value(json: text)
    default: return nil
    }
  }
}
