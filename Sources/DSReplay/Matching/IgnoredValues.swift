import DSInterpreter
import DataTables

/// Lines of records in the output of a command.
struct PrintedRecords: Sendable, Equatable {
  enum Form: Sendable, CaseIterable {
    /// A line `key: value` for each key.
    case lines
    /// A record or a list on a line, or JSON.
    case values
  }
  var lines: Range<Int>
  let form: Form
}

/// Replaces the values of some keys, which may differ, by `…`: in lines `key: value` of a record, in
/// records and in JSON. The cells of tables are ignored by their columns (``ComparedLines``).
struct IgnoredValues {
  private let keys: [[UInt8]]
  static let mark = "…"

  init(_ keys: [String]) { self.keys = keys.map { Array($0.utf8) } }

  /// - Parameter form: how the line shows a record.
  func masked(_ line: String, _ form: PrintedRecords.Form) -> String {
    var bytes = Array(line.utf8)
    var start = 0
    if form == .lines {
      if let value = value(ofKeyAt: 0, in: bytes) {
        // Nothing follows the value.
        bytes.replaceSubrange(value.lowerBound..., with: Self.mark.utf8)
        return String(decoding: bytes, as: UTF8.self)
      }
      guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return line }
      start = colon + 1
    }
    while start < bytes.count, bytes[start] == UInt8(ascii: " ") { start += 1 }
    // Any other value is a text, which may contain the same words.
    guard start < bytes.count, "{[\"".utf8.contains(bytes[start]) else { return line }
    return mask(&bytes, from: start) ? String(decoding: bytes, as: UTF8.self) : line
  }

  /// - Returns: whether a value was replaced.
  private func mask(_ bytes: inout [UInt8], from start: Int) -> Bool {
    var position = start
    var hasChanged = false
    var isInString = false
    // A line of JSON may begin with the key of a record that an earlier line opens.
    var isBeforeKey = true
    while position < bytes.count {
      let byte = bytes[position]
      if isInString {
        if byte == UInt8(ascii: "\"") { isInString = false }
        position += byte == UInt8(ascii: "\\") ? 2 : 1
        continue
      }
      if isBeforeKey, let value = value(ofKeyAt: position, in: bytes) {
        bytes.replaceSubrange(value, with: Self.mark.utf8)
        hasChanged = true
        position = value.lowerBound + Self.mark.utf8.count
        isBeforeKey = false
        continue
      }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ","): isBeforeKey = true
      case UInt8(ascii: " "): break
      default:
        isBeforeKey = false
        isInString = byte == UInt8(ascii: "\"")
      }
      position += 1
    }
    return hasChanged
  }

  /// The bytes of the value of a key that begins at `start`: `key: value`, `"key":value`.
  private func value(ofKeyAt start: Int, in bytes: [UInt8]) -> Range<Int>? {
    let quote = UInt8(ascii: "\"")
    for key in keys {
      for key in [key, [quote] + key + [quote]] where bytes[start...].starts(with: key) {
        var position = start + key.count
        guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else { continue }
        position += 1
        while position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
        return position..<Self.end(ofValueAt: position, in: bytes)
      }
    }
    return nil
  }

  /// The end of a value in a record: the next comma or closing bracket outside of strings and brackets.
  private static func end(ofValueAt start: Int, in bytes: [UInt8]) -> Int {
    var position = start
    var depth = 0
    var isInString = false
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\\") where isInString: position += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case _ where isInString: break
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return position }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0: return position
      default: break
      }
      position += 1
    }
    return min(position, bytes.count)
  }
}
