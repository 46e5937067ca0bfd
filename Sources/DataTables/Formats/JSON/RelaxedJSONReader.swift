/// Builds the values of a relaxed JSON text, one after another.
///
/// Recursion is as deep as the values are nested, which `maxDepth` limits. The bytes must be UTF-8.
struct RelaxedJSONReader {
  /// An error with its offset in the bytes.
  struct Failure: Error {
    let expectation: String
    let offset: Int
    /// The limit that was exceeded.
    var limit: DepthLimit?
    var isCancelled = false
  }

  private let bytes: [UInt8]
  private let end: Int
  private let depthLimit: DepthLimit
  private let cancellation: Cancellation
  private var count = 0
  private var index: Int
  /// The offset of the last value that ``next()`` returned.
  private(set) var start = 0
  private var shapes = RecordShapes()
  /// The number of records with a duplicate key, and the offset of the first one.
  private(set) var duplicates = 0
  private(set) var firstDuplicate = 0
  /// The number of escapes that are half of a surrogate pair, and the offset of the first one.
  private(set) var loneSurrogates = 0
  private(set) var firstLoneSurrogate = 0

  /// Deeper values would exhaust the stack.
  private static let maxDepth = 2_000

  init(
    _ bytes: [UInt8], _ range: Range<Int>, limits: ReadLimits,
    cancellation: Cancellation = Cancellation()
  ) {
    self.bytes = bytes
    index = range.lowerBound
    end = range.upperBound
    depthLimit = DepthLimit(limits, supported: Self.maxDepth)
    self.cancellation = cancellation
  }

  /// The next value; nil at the end.
  mutating func next() throws(Failure) -> Value? {
    let last = index > 0 ? bytes[index - 1] : 0
    let before = index
    try skipSpace()
    guard index < end else { return nil }
    if index == before, Self.isPartOfWord(last), Self.isPartOfWord(bytes[index]) {
      throw failure("expected the end of the document")
    }
    start = index
    return try value(depth: 0)
  }

  mutating func expectEnd() throws(Failure) {
    try skipSpace()
    if index < end { throw failure("expected the end of the line after the value") }
  }

  func failure(_ expectation: String) -> Failure {
    Failure(expectation: expectation, offset: index)
  }

  private var byte: UInt8 { index < end ? bytes[index] : 0 }

  private mutating func value(depth: Int) throws(Failure) -> Value {
    count &+= 1
    if count & 0xFFF == 0, cancellation.isCancelled {
      throw Failure(expectation: "expected a value", offset: index, isCancelled: true)
    }
    try skipSpace()
    guard index < end else { throw failure("expected a value") }
    switch bytes[index] {
    case UInt8(ascii: "{"): return try record(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try string())
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "I"), UInt8(ascii: "N"):
      return try number()
    default: return try word()
    }
  }

  private mutating func open(_ depth: Int) throws(Failure) {
    guard depth < depthLimit.levels else {
      throw Failure(expectation: "expected a value", offset: index, limit: depthLimit)
    }
    index += 1
  }

  private mutating func array(depth: Int) throws(Failure) -> Value {
    try open(depth)
    var elements: [Value] = []
    while true {
      try skipSpace()
      if byte == UInt8(ascii: "]"), index < end { break }
      elements.append(try value(depth: depth + 1))
      try skipSpace()
      if byte == UInt8(ascii: ",") {
        index += 1
      } else if byte != UInt8(ascii: "]") {
        throw failure("expected `,` or `]`")
      }
    }
    index += 1
    return .array(elements)
  }

  private mutating func record(depth: Int) throws(Failure) -> Value {
    let start = index
    try open(depth)
    var keys: [String] = []
    var values: [Value] = []
    while true {
      try skipSpace()
      if byte == UInt8(ascii: "}"), index < end { break }
      keys.append(try key())
      try skipSpace()
      guard byte == UInt8(ascii: ":") else { throw failure("expected `:` after a key") }
      index += 1
      values.append(try value(depth: depth + 1))
      try skipSpace()
      if byte == UInt8(ascii: ",") {
        index += 1
      } else if byte != UInt8(ascii: "}") {
        throw failure("expected `,` or `}`")
      }
    }
    index += 1
    let (record, hasDuplicate) = shapes.record(repeating: keys, values)
    if hasDuplicate {
      if duplicates == 0 { firstDuplicate = start }
      duplicates += 1
    }
    return .record(record)
  }

  private mutating func key() throws(Failure) -> String {
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return try string() }
    let start = index
    while index < end, Self.isPartOfWord(bytes[index]), bytes[index] != UInt8(ascii: "-"),
      bytes[index] != UInt8(ascii: "+"), bytes[index] != UInt8(ascii: ".")
    {
      index += 1
    }
    guard index > start, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[start]) else {
      index = start
      throw failure("expected a key")
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func word() throws(Failure) -> Value {
    let start = index
    while index < end, Self.isPartOfWord(bytes[index]) { index += 1 }
    switch String(decoding: bytes[start..<index], as: UTF8.self) {
    case "true": return true
    case "false": return false
    case "null": return .null
    default:
      index = start
      throw failure("expected a value")
    }
  }

  /// Whether a byte may be part of a key without quotes, a word or a number.
  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "$"),
      UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...:
      true
    default: false
    }
  }
}

// MARK: - Numbers

extension RelaxedJSONReader {
  private mutating func number() throws(Failure) -> Value {
    let start = index
    while index < end, Self.isPartOfWord(bytes[index]) { index += 1 }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if let value = Self.number(text) { return value }
    index = start
    throw failure("expected a number")
  }

  /// The number that a word spells; nil if it spells none.
  static func number(_ text: String) -> Value? {
    var digits = Substring(text)
    let isNegative = digits.first == "-"
    if isNegative || digits.first == "+" { digits = digits.dropFirst() }
    if digits.first == "-" || digits == "." { return nil }
    switch digits {
    case "Infinity":
      return .real(
        Real(
          text: isNegative ? "-Infinity" : "Infinity", value: isNegative ? -.infinity : .infinity))
    case "NaN": return .real(Real(text: "NaN", value: .nan))
    default: break
    }
    if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
      return hexadecimal(digits.dropFirst(2), isNegative: isNegative)
    }
    // JSON requires digits on both sides of the point.
    if digits.hasPrefix(".") { digits = "0" + digits }
    if let point = digits.firstIndex(of: ".") {
      let next = digits.index(after: point)
      if next == digits.endIndex || digits[next] == "e" || digits[next] == "E" {
        digits.insert("0", at: next)
      }
    }
    var json = (isNegative ? "-" : "") + digits
    return json.withUTF8 { Scalar.number(UnsafeRawBufferPointer($0)) }
  }

  private static func hexadecimal(_ digits: Substring, isNegative: Bool) -> Value? {
    guard !digits.isEmpty, digits.allSatisfy(\.isHexDigit), digits.utf8.count == digits.count else {
      return nil
    }
    if let magnitude = UInt64(digits, radix: 16) {
      if magnitude <= UInt64(Int.max) {
        return .integer(isNegative ? -Int(magnitude) : Int(magnitude))
      }
      if isNegative, magnitude == 1 << 63 { return .integer(.min) }
      var text = (isNegative ? "-" : "") + String(magnitude)
      return text.withUTF8 { Scalar.number(UnsafeRawBufferPointer($0)) }
    }
    return Double("0x\(digits)p0").flatMap { Real(isNegative ? -$0 : $0) }.map(Value.real)
  }
}

// MARK: - Strings

extension RelaxedJSONReader {
  private mutating func string() throws(Failure) -> String {
    let quote = bytes[index]
    index += 1
    var result: [UInt8] = []
    while index < end {
      let byte = bytes[index]
      if byte == quote {
        index += 1
        return String(decoding: result, as: UTF8.self)
      }
      if byte == 0x0A || byte == 0x0D { break }
      index += 1
      if byte == UInt8(ascii: "\\") { try appendEscape(to: &result) } else { result.append(byte) }
    }
    throw failure("expected a closing quote")
  }

  private mutating func appendEscape(to result: inout [UInt8]) throws(Failure) {
    guard index < end else { throw failure("expected a closing quote") }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "b"): result.append(0x08)
    case UInt8(ascii: "f"): result.append(0x0C)
    case UInt8(ascii: "n"): result.append(0x0A)
    case UInt8(ascii: "r"): result.append(0x0D)
    case UInt8(ascii: "t"): result.append(0x09)
    case UInt8(ascii: "v"): result.append(0x0B)
    case UInt8(ascii: "0") where !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self.byte):
      result.append(0)
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      index -= 1
      throw failure("expected an escape without digits after `\\`")
    case UInt8(ascii: "x"): append(try hexadecimal(2), to: &result)
    case UInt8(ascii: "u"): append(try unit(), to: &result)
    // The end of a line after a backslash continues the string.
    case 0x0A: break
    case 0x0D: if self.byte == 0x0A { index += 1 }
    default: result.append(byte)
    }
  }

  private mutating func append(_ scalar: UInt32, to result: inout [UInt8]) {
    if Unicode.Scalar(scalar) == nil {
      if loneSurrogates == 0 { firstLoneSurrogate = index }
      loneSurrogates += 1
    }
    let scalar = Unicode.Scalar(scalar) ?? "\u{FFFD}"
    result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  /// The scalar of `XXXX`, together with `\uXXXX` for a surrogate pair.
  private mutating func unit() throws(Failure) -> UInt32 {
    let high = try hexadecimal(4)
    guard (0xD800..<0xDC00).contains(high), index + 1 < end, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { return high }
    let place = index
    index += 2
    let low = try hexadecimal(4)
    guard (0xDC00..<0xE000).contains(low) else {
      index = place
      return high
    }
    return 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
  }

  private mutating func hexadecimal(_ count: Int) throws(Failure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard index < end, let digit = bytes[index].hexadecimalDigit else {
        throw failure("expected \(count == 2 ? "two" : "four") hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }
}

// MARK: - White space and comments

extension RelaxedJSONReader {
  private mutating func skipSpace() throws(Failure) {
    while index < end {
      switch bytes[index] {
      case 0x09...0x0D, 0x20: index += 1
      case UInt8(ascii: "/"): try skipComment()
      case 0x80...:
        let (scalar, length) = scalar()
        guard scalar.properties.isWhitespace || scalar == "\u{FEFF}" else { return }
        index += length
      default: return
      }
    }
  }

  private mutating func skipComment() throws(Failure) {
    let next = index + 1 < end ? bytes[index + 1] : 0
    switch next {
    case UInt8(ascii: "/"):
      while index < end, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
    case UInt8(ascii: "*"):
      let start = index
      index += 2
      while index + 1 < end {
        if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
          index += 2
          return
        }
        index += 1
      }
      index = start
      throw failure("expected `*/` after the comment")
    default: throw failure("expected a value or a comment")
    }
  }

  /// The scalar at the position and its length in bytes.
  private func scalar() -> (Unicode.Scalar, Int) {
    var iterator = bytes[index..<min(end, index + 4)].makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return ("a", 1) }
    return (scalar, UTF8.width(scalar))
  }
}

extension RelaxedJSONReader.Failure {
  /// `expected a value, found …`
  func message(in bytes: [UInt8]) -> String {
    var iterator = bytes[min(offset, bytes.count)...].prefix(4).makeIterator()
    var decoder = UTF8()
    let found: Unicode.Scalar? =
      if case .scalarValue(let scalar) = decoder.decode(&iterator) { scalar } else { nil }
    return "\(expectation), found \(JSONFailure.phrase(for: found))"
  }

  func tableError(in bytes: [UInt8]) throws -> TableError {
    if isCancelled { return .cancelled }
    let position = try TextPosition(of: offset, in: MemoryBytes(bytes))
    return limit?.error(at: position) ?? .format(message(in: bytes), at: position)
  }
}

// Recognition of a text by its first bytes.
extension RelaxedJSONReader {
  /// Whether a text starts an object or array: a bracket, and what may follow it. Markdown and
  /// templates start with `[text](`, `{{` and `{%`.
  static func startsContainer(_ text: [UInt8]) -> Bool {
    var reader = RelaxedJSONReader(text, 0..<text.count, limits: ReadLimits())
    do throws(Failure) {
      try reader.skipSpace()
      let bracket = reader.byte
      guard bracket == UInt8(ascii: "{") || bracket == UInt8(ascii: "[") else { return false }
      reader.index += 1
      try reader.skipSpace()
      if reader.index == reader.end { return true }
      switch reader.byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): return true
      case UInt8(ascii: "}") where bracket == UInt8(ascii: "{"): return true
      case UInt8(ascii: "]") where bracket == UInt8(ascii: "["): return true
      case UInt8(ascii: "{"), UInt8(ascii: "["): return bracket == UInt8(ascii: "[")
      default:
        if bracket == UInt8(ascii: "{") {
          _ = try reader.key()
        } else {
          _ = try reader.value(depth: 0)
        }
        return true
      }
    } catch {
      return error.offset == text.count
    }
  }

  /// Whether a text, which may be cut, is one object or array.
  static func isDocument(_ text: [UInt8], isWhole: Bool) -> Bool {
    var reader = RelaxedJSONReader(text, 0..<text.count, limits: ReadLimits())
    do throws(Failure) {
      guard try reader.next() != nil else { return false }
      try reader.expectEnd()
      return true
    } catch {
      // A word may be cut.
      return !isWhole && error.offset + 16 > text.count
    }
  }
}
