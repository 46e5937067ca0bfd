/// Builds values from well-formed JSON.
///
/// Records with the same keys share one shape. Building recurses; the scanner limits the depth.
struct JSONBuilder {
  private var shapes: [[String]: Record.Shape] = [:]
  private var last: Record.Shape?
  /// The number of records with a duplicate key, and the offset of the first one in its value.
  private(set) var duplicates = 0
  private(set) var firstDuplicate = 0

  /// - Parameter bytes: a value that ``JSONScanner`` accepted, without surrounding space.
  mutating func value(_ bytes: UnsafeRawBufferPointer) -> Value {
    var reader = JSONReader(bytes: bytes)
    return value(&reader)
  }

  private mutating func value(_ reader: inout JSONReader) -> Value {
    switch reader.next() {
    case UInt8(ascii: "{"): .record(record(&reader))
    case UInt8(ascii: "["): array(&reader)
    case UInt8(ascii: "\""): .string(Self.string(reader.takeString()))
    case UInt8(ascii: "t"): reader.take(4, true)
    case UInt8(ascii: "f"): reader.take(5, false)
    case UInt8(ascii: "n"): reader.take(4, nil)
    default: Scalar.number(reader.takeNumber()) ?? nil
    }
  }

  private mutating func array(_ reader: inout JSONReader) -> Value {
    var elements: [Value] = []
    reader.index += 1
    while reader.next(after: UInt8(ascii: ",")) != UInt8(ascii: "]"), !reader.isAtEnd {
      elements.append(value(&reader))
    }
    reader.index += 1
    return .array(elements)
  }

  private mutating func record(_ reader: inout JSONReader) -> Record {
    var keys: [String] = []
    var values: [Value] = []
    let start = reader.index
    reader.index += 1
    while reader.next(after: UInt8(ascii: ",")) != UInt8(ascii: "}"), !reader.isAtEnd {
      keys.append(Self.string(reader.takeString()))
      _ = reader.next(after: UInt8(ascii: ":"))
      values.append(value(&reader))
    }
    reader.index += 1
    if let last, last.keys == keys { return Record(shape: last, values: values) }
    if let shape = shapes[keys] {
      last = shape
      return Record(shape: shape, values: values)
    }
    let record = Record(zip(keys, values))
    // With duplicate keys, the record has fewer keys than were read.
    if record.count < keys.count {
      if duplicates == 0 { firstDuplicate = start }
      duplicates += 1
    } else if shapes.count < 256 {
      shapes[keys] = record.shape
      last = record.shape
    }
    return record
  }

  /// The string that is written as `bytes`, which include the quotes. Lone surrogates are read as
  /// U+FFFD.
  static func string(_ bytes: UnsafeRawBufferPointer) -> String {
    let inner = UnsafeRawBufferPointer(rebasing: bytes.dropFirst().dropLast())
    guard inner.contains(UInt8(ascii: "\\")) else { return String(decoding: inner, as: UTF8.self) }
    var result: [UInt8] = []
    result.reserveCapacity(inner.count)
    var index = 0
    while index < inner.count {
      if inner[index] == UInt8(ascii: "\\") {
        index = appendEscape(inner, index + 1, to: &result)
      } else {
        result.append(inner[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Appends the character of an escape; returns the index after it.
  private static func appendEscape(
    _ bytes: UnsafeRawBufferPointer, _ index: Int, to result: inout [UInt8]
  ) -> Int {
    guard index < bytes.count else { return index }
    switch bytes[index] {
    case UInt8(ascii: "b"): result.append(0x08)
    case UInt8(ascii: "f"): result.append(0x0C)
    case UInt8(ascii: "n"): result.append(0x0A)
    case UInt8(ascii: "r"): result.append(0x0D)
    case UInt8(ascii: "t"): result.append(0x09)
    case UInt8(ascii: "u"):
      let (scalar, length) = scalar(bytes, index + 1)
      result.append(
        contentsOf: Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
      return index + 1 + length
    default: result.append(bytes[index])
    }
    return index + 1
  }

  /// The character of one or two `uXXXX` escapes, and the number of bytes after the first `u`.
  private static func scalar(
    _ bytes: UnsafeRawBufferPointer, _ index: Int
  ) -> (Unicode.Scalar, Int) {
    guard let unit = unit(bytes, index) else { return ("\u{FFFD}", 0) }
    if let scalar = Unicode.Scalar(unit) { return (scalar, 4) }
    if UTF16.isLeadSurrogate(unit), index + 6 <= bytes.count,
      bytes[index + 4] == UInt8(ascii: "\\"), bytes[index + 5] == UInt8(ascii: "u"),
      let trail = Self.unit(bytes, index + 6), UTF16.isTrailSurrogate(trail)
    {
      return (UTF16.decode(UTF16.EncodedScalar([unit, trail])), 10)
    }
    return ("\u{FFFD}", 4)
  }

  private static func unit(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt16? {
    guard index + 4 <= bytes.count else { return nil }
    var unit: UInt16 = 0
    for place in index..<index + 4 {
      guard let digit = bytes[place].hexadecimalDigit else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}

/// Reads the tokens of well-formed JSON. Never reads outside the bytes, even if they are malformed.
private struct JSONReader {
  let bytes: UnsafeRawBufferPointer
  var index = 0

  init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { index >= bytes.count }

  /// The next byte that is not white space, or 0 at the end.
  mutating func next() -> UInt8 {
    while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    return index < bytes.count ? bytes[index] : 0
  }

  /// The next byte that is not white space, after skipping at most one `mark`.
  mutating func next(after mark: UInt8) -> UInt8 {
    if next() == mark { index += 1 }
    return next()
  }

  mutating func take(_ count: Int, _ value: Value) -> Value {
    index += count
    return value
  }

  mutating func takeString() -> UnsafeRawBufferPointer {
    let start = index
    index += 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    index = min(index + 1, bytes.count)
    return UnsafeRawBufferPointer(rebasing: bytes[min(start, index)..<index])
  }

  mutating func takeNumber() -> UnsafeRawBufferPointer {
    let start = index
    while index < bytes.count, isPartOfNumber(bytes[index]) { index += 1 }
    // Always advance, so that reading ends even if the bytes differ from the scanned ones.
    if index == start, index < bytes.count { index += 1 }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<index])
  }

  private func isPartOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}
