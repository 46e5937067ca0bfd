import DataTables

/// Values and texts as Objective-C writes them.
enum ObjectiveCLiteral {
  /// An `NSString` literal that has the value `text`, whatever it contains.
  static func string(_ text: String) -> String {
    var literal = "@\""
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      // Two question marks may begin a trigraph.
      case "?" where last == "?": literal += "\\?"
      case _ where scalar.isInvisible: literal += escape(scalar)
      default: literal.unicodeScalars.append(scalar)
      }
      last = scalar
    }
    return literal + "\""
  }

  /// Characters below U+00A0 have no universal names; three octal digits end where they should.
  private static func escape(_ scalar: Unicode.Scalar) -> String {
    if scalar.value < 0xA0 {
      return String(scalar).utf8.map { byte in
        let digits = String(byte, radix: 8)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      }.joined()
    }
    let digits = String(scalar.value, radix: 16)
    let length = scalar.value > 0xFFFF ? 8 : 4
    return (length == 8 ? "\\U" : "\\u") + String(repeating: "0", count: length - digits.count)
      + digits
  }

  /// A value as an object.
  static func object(_ value: Value) -> Argument {
    switch value {
    case .null: "NSNull.null"
    case .bool(let bool): bool ? "@YES" : "@NO"
    case .integer(.min): "@(INT64_MIN)"
    case .integer(let integer): .text("@\(integer)")
    case .real(let real):
      ValueShape(of: [value]).kind == .double && real.value.isFinite
        ? .text("@\(real.value)")
        : .text("[NSDecimalNumber decimalNumberWithString:\(string(value.json))]")
    case .string(let text): .text(string(text))
    case .date(let date):
      .text("[NSDate dateWithTimeIntervalSince1970:\(SwiftRow.seconds(date))]")
    case .data(let bytes):
      .text(
        "[NSData dataWithBytes:(const uint8_t[]){\(bytes.map(String.init).joined(separator: ", "))} "
          + "length:\(bytes.count)]")
    case .array(let elements): .list(elements.map(object), open: "@[")
    case .record(let record):
      .list(
        zip(record.keys, record.values).filter { !$1.isNull }.map { key, value in
          object(value).labeled(string(key))
        }, open: "@{", close: "}")
    }
  }

  /// Words that are not names in Objective-C.
  static let identifiers = ManagedEntity.identifiers
}
