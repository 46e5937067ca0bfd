@testable import DataTables

/// Reads JSON the obvious way: recursively, byte by byte, from the whole text.
struct SlowJSON {
  struct Failure: Error, Equatable {
    enum Kind: Equatable { case syntax, encoding, depth }
    var kind: Kind
    var offset: Int
  }

  let bytes: [UInt8]
  let depthLimit: Int
  let isOneLine: Bool
  var index: Int
  let end: Int

  /// The only value between `start` and `end`, with optional white space around it.
  static func value(
    _ bytes: [UInt8], _ start: Int = 0, _ end: Int? = nil, depthLimit: Int = 512,
    isOneLine: Bool = false
  ) throws(Failure) -> Value {
    var reader = SlowJSON(
      bytes: bytes, depthLimit: depthLimit, isOneLine: isOneLine, index: start,
      end: end ?? bytes.count)
    let value = try reader.value(depth: 0)
    reader.space()
    if reader.index < reader.end { throw reader.failure() }
    return value
  }

  func failure(_ kind: Failure.Kind = .syntax) -> Failure {
    let isBroken = index < end && bytes[index] >= 0x80 && sequenceLength() == nil
    return Failure(kind: isBroken ? .encoding : kind, offset: index)
  }

  var byte: UInt8? { index < end ? bytes[index] : nil }

  private func sequenceLength() -> Int? {
    (2...4).first { length in
      guard index + length <= end else { return false }
      let part = bytes[index..<index + length]
      return String(validating: part, as: UTF8.self)?.unicodeScalars.count == 1
    }
  }

  mutating func space() {
    let spaces: [UInt8] = isOneLine ? [0x20, 0x09] : [0x20, 0x09, 0x0A, 0x0D]
    while let byte, spaces.contains(byte) { index += 1 }
  }

  mutating func take(_ character: Unicode.Scalar) throws(Failure) {
    guard byte == UInt8(ascii: character) else { throw failure() }
    index += 1
  }

  mutating func value(depth: Int) throws(Failure) -> Value {
    space()
    switch byte.map({ Unicode.Scalar($0) }) {
    case "{": return try record(depth: depth + 1)
    case "[": return try array(depth: depth + 1)
    case "\"": return .string(try string())
    case "t": return try word("true", true)
    case "f": return try word("false", false)
    case "n": return try word("null", nil)
    default: return try number()
    }
  }

  private mutating func word(_ word: String, _ value: Value) throws(Failure) -> Value {
    for scalar in word.unicodeScalars { try take(scalar) }
    return value
  }

  private mutating func array(depth: Int) throws(Failure) -> Value {
    if depth > depthLimit { throw failure(.depth) }
    try take("[")
    var elements: [Value] = []
    space()
    if byte == UInt8(ascii: "]") {
      index += 1
      return .array(elements)
    }
    while true {
      elements.append(try value(depth: depth))
      space()
      if byte == UInt8(ascii: "]") { break }
      try take(",")
    }
    index += 1
    return .array(elements)
  }

  private mutating func record(depth: Int) throws(Failure) -> Value {
    if depth > depthLimit { throw failure(.depth) }
    try take("{")
    var pairs: [(String, Value)] = []
    space()
    if byte == UInt8(ascii: "}") {
      index += 1
      return .record(Record(pairs))
    }
    while true {
      space()
      let key = try string()
      space()
      try take(":")
      pairs.append((key, try value(depth: depth)))
      space()
      if byte == UInt8(ascii: "}") { break }
      try take(",")
    }
    index += 1
    return .record(Record(pairs))
  }

  private mutating func digits() throws(Failure) {
    guard let byte, (0x30...0x39).contains(byte) else { throw failure() }
    while let byte = self.byte, (0x30...0x39).contains(byte) { index += 1 }
  }

  private mutating func number() throws(Failure) -> Value {
    let start = index
    if byte == UInt8(ascii: "-") { index += 1 }
    if byte == UInt8(ascii: "0") {
      index += 1
      if let byte, (0x30...0x39).contains(byte) { throw failure() }
    } else {
      try digits()
    }
    if byte == UInt8(ascii: ".") {
      index += 1
      try digits()
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      index += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if let integer = Int(text), String(integer) == text { return .integer(integer) }
    return .real(Real(text: text, value: Double(text) ?? .nan))
  }

  private mutating func string() throws(Failure) -> String {
    try take("\"")
    var units: [UInt16] = []
    while byte != UInt8(ascii: "\"") {
      guard let byte, byte >= 0x20 else { throw failure() }
      if byte == UInt8(ascii: "\\") {
        index += 1
        units.append(try escape())
      } else if byte < 0x80 {
        units.append(UInt16(byte))
        index += 1
      } else {
        guard let length = sequenceLength() else { throw failure() }
        units.append(
          contentsOf: String(decoding: bytes[index..<index + length], as: UTF8.self).utf16)
        index += length
      }
    }
    index += 1
    // Lone surrogates become U+FFFD.
    return String(decoding: units, as: UTF16.self)
  }

  private mutating func escape() throws(Failure) -> UInt16 {
    let plain: [Unicode.Scalar: UInt16] = [
      "\"": 0x22, "\\": 0x5C, "/": 0x2F, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9,
    ]
    guard let byte else { throw failure() }
    if let unit = plain[Unicode.Scalar(byte)] {
      index += 1
      return unit
    }
    try take("u")
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = self.byte,
        let digit = Character(Unicode.Scalar(byte)).hexDigitValue
      else { throw failure() }
      unit = unit << 4 | UInt16(digit)
      index += 1
    }
    return unit
  }
}
