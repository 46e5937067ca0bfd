import DataTables

extension ServerType.Reading {
  /// The value that the server writes as `text`, in the settings that ``SessionSettings`` makes. A
  /// text that the type does not explain (`infinity` of a date, a year before 1) is a string.
  func value(_ text: UnsafeRawBufferPointer) -> Value {
    switch self {
    case .string: string(text)
    case .padded: string(withoutSpaces(text))
    case .bool: .bool(text.first == UInt8(ascii: "t"))
    case .integer: Scalar.integer(text).map(Value.integer) ?? string(text)
    case .number: Scalar.number(text) ?? notFinite(text) ?? string(text)
    case .date: Scalar.date(text).map(Value.date) ?? string(text)
    case .dateTime, .instant: moment(text) ?? string(text)
    case .data: data(text) ?? string(text)
    case .json: (try? Value(json: String(decoding: text, as: UTF8.self))) ?? string(text)
    case .array(let element): ArrayText(text).value(element) ?? string(text)
    }
  }

  private func string(_ text: UnsafeRawBufferPointer) -> Value {
    .string(String(decoding: text, as: UTF8.self))
  }

  private func withoutSpaces(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let end = text.lastIndex { $0 != UInt8(ascii: " ") }.map { $0 + 1 } ?? 0
    return UnsafeRawBufferPointer(rebasing: text[..<end])
  }

  private func notFinite(_ text: UnsafeRawBufferPointer) -> Value? {
    switch String(decoding: text, as: UTF8.self) {
    case "NaN": .real(Real(.nan))
    case "Infinity": .real(Real(.infinity))
    case "-Infinity": .real(Real(-.infinity))
    default: nil
    }
  }

  /// `2024-01-31 12:00:00.5+00` as `2024-01-31T12:00:00.5Z`: the zone of the session is GMT.
  private func moment(_ text: UnsafeRawBufferPointer) -> Value? {
    guard text.count > 11, text.count < 40, text[10] == UInt8(ascii: " ") else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: text.count, alignment: 1) { copy in
      copy.copyMemory(from: text)
      copy[10] = UInt8(ascii: "T")
      var count = text.count
      if case .instant = self, text.suffix(3).elementsEqual("+00".utf8) {
        copy[count - 3] = UInt8(ascii: "Z")
        count -= 2
      }
      return Scalar.date(UnsafeRawBufferPointer(rebasing: copy[..<count])).map(Value.date)
    }
  }

  /// The bytes that `\x6869` stands for.
  private func data(_ text: UnsafeRawBufferPointer) -> Value? {
    guard text.count >= 2, text.count % 2 == 0, text[0] == UInt8(ascii: "\\"),
      text[1] == UInt8(ascii: "x")
    else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2 - 1)
    var index = 2
    while index < text.count {
      guard let high = digit(text[index]), let low = digit(text[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
      index += 2
    }
    return .data(bytes)
  }

  private func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
