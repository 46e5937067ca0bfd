import DataTables

/// A cell that its type does not allow.
struct MalformedCell: Error {}

/// Texts of the format `TabSeparated`.
enum TabSeparated {
  /// Appends bytes with a backslash before each backslash and quote, and with control characters as
  /// escapes, as literals and cells need them.
  static func escape(
    _ text: some Sequence<UInt8>, quote: UInt8 = UInt8(ascii: "'"), into bytes: inout [UInt8]
  ) {
    for byte in text {
      guard let escaped = escape(of: byte, quote: quote) else {
        bytes.append(byte)
        continue
      }
      bytes.append(.backslash)
      bytes.append(escaped)
    }
  }

  private static func escape(of byte: UInt8, quote: UInt8) -> UInt8? {
    switch byte {
    case 0x09: UInt8(ascii: "t")
    case 0x0A: UInt8(ascii: "n")
    case 0x0D: UInt8(ascii: "r")
    case 0: UInt8(ascii: "0")
    case 0x08: UInt8(ascii: "b")
    case 0x0C: UInt8(ascii: "f")
    case .backslash, quote: byte
    default: nil
    }
  }

  /// The bytes that a text with escapes stands for.
  static func unescaped(_ bytes: UnsafeRawBufferPointer) throws(MalformedCell) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard bytes[index] == .backslash else {
        result.append(bytes[index])
        index += 1
        continue
      }
      guard index + 1 < bytes.count, let byte = unescaped(bytes[index + 1]) else {
        throw MalformedCell()
      }
      result.append(byte)
      index += 2
    }
    return result
  }

  /// The byte after a backslash, unescaped.
  static func unescaped(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "0"): 0
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case .backslash, UInt8(ascii: "'"): byte
    default: nil
    }
  }

  /// `2020-01-02 03:04:05.5` at an offset from GMT, in seconds.
  static func wallTime(of date: Timestamp, offset: Int) -> String {
    let moment = Moment(
      seconds: date.secondsFromGMT + offset, nanoseconds: date.nanoseconds, offset: nil,
      hasTime: true)
    return moment.isoText.replacing("T", with: " ")
  }
}

extension UInt8 {
  static let backslash = UInt8(ascii: "\\")
}
