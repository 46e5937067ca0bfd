import DataTables

extension Value {
  /// The text of the value as the server reads it for the type that it needs; nil for null.
  ///
  /// Data is written in hexadecimal digits, an array or a record as JSON. A date with a time zone
  /// keeps it as an offset; the server rounds times to microseconds.
  var serverText: String? {
    switch self {
    case .null: nil
    case .bool(let bool): bool ? "true" : "false"
    case .integer(let integer): String(integer)
    case .real(let real): real.serverText
    case .string(let string): string
    case .date(let date): date.serverText
    case .data(let bytes): bytes.serverText
    case .array, .record: json
    }
  }

  /// The text of the value for a column: the array of an array column is written as `{1,2}`, and any
  /// value of a column of JSON as JSON.
  /// - Parameter type: the declared type of the column; "" if it is not known.
  func serverText(forColumnOf type: String) -> String? {
    if type == "json" || type == "jsonb" { return isNull ? nil : json }
    if case .array(let elements) = self, type.hasSuffix("[]") { return elements.arrayText }
    return serverText
  }
}

extension [Value] {
  /// `{1,NULL,"a"}`. Strings are always quoted, so that `NULL` and the empty one stay strings.
  fileprivate var arrayText: String {
    let texts = map { element in
      switch element {
      case .null: "NULL"
      case .array(let elements): elements.arrayText
      case .bool, .integer, .real: element.serverText ?? "NULL"
      case .string, .date, .data, .record: "\"\((element.serverText ?? "").escaped)\""
      }
    }
    return "{\(texts.joined(separator: ","))}"
  }
}

extension String {
  // Scalars, not characters: a quote and an accent after it are one character.
  fileprivate var escaped: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }
}

extension Real {
  fileprivate var serverText: String {
    if isFinite { return Value.real(self).json }
    return value.isNaN ? "NaN" : value > 0 ? "Infinity" : "-Infinity"
  }
}

extension Timestamp {
  /// In ISO form: the text as it was read may be in another one.
  fileprivate var serverText: String {
    Moment(seconds: seconds, nanoseconds: nanoseconds, offset: offset, hasTime: hasTime).isoText
  }
}

extension [UInt8] {
  /// `\x6869`
  fileprivate var serverText: String {
    let digits = Array("0123456789abcdef".utf8)
    return "\\x"
      + String(unsafeUninitializedCapacity: count * 2) { text in
        for (index, byte) in enumerated() {
          text[index * 2] = digits[Int(byte >> 4)]
          text[index * 2 + 1] = digits[Int(byte & 15)]
        }
        return count * 2
      }
  }
}
