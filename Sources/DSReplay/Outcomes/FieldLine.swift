/// A line of fields, each followed by a tab: the format of messages between processes.
///
/// In strings `\t`, `\n` and `\\` are escapes, and `\N` is nil, as in the text format of
/// PostgreSQL's COPY.
struct FieldLine {
  /// Without the newline.
  private(set) var bytes: [UInt8] = []

  init() {
    // Most lines fit.
    bytes.reserveCapacity(256)
  }

  static let tab = UInt8(ascii: "\t")
  static let escape = UInt8(ascii: "\\")

  mutating func append(_ number: Int) {
    var rest = number.magnitude
    var digits: (UInt64, count: Int) = (0, 0)
    // Most numbers are small: up to eight digits are assembled in a register.
    if number >= 0, rest < 100_000_000 {
      repeat {
        digits = (digits.0 << 8 | UInt64(rest % 10 + 0x30), digits.count + 1)
        rest /= 10
      } while rest > 0
      for _ in 0..<digits.count {
        bytes.append(UInt8(truncatingIfNeeded: digits.0))
        digits.0 >>= 8
      }
    } else {
      bytes += String(number).utf8
    }
    bytes.append(Self.tab)
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { text in
      if text.contains(where: Self.needsEscape) {
        for byte in text { appendEscaped(byte) }
      } else {
        bytes += text
      }
    }
    bytes.append(Self.tab)
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte == tab || byte == UInt8(ascii: "\n") || byte == escape
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case Self.tab: bytes += [Self.escape, UInt8(ascii: "t")]
    case UInt8(ascii: "\n"): bytes += [Self.escape, UInt8(ascii: "n")]
    case Self.escape: bytes += [Self.escape, Self.escape]
    default: bytes.append(byte)
    }
  }

  mutating func append(_ text: String?) {
    guard let text else {
      bytes += [Self.escape, UInt8(ascii: "N"), Self.tab]
      return
    }
    append(text)
  }

  /// Appends the number of elements and each element.
  mutating func append<Element>(
    _ elements: [Element], _ element: (inout FieldLine, Element) -> Void
  ) {
    append(elements.count)
    for part in elements { element(&self, part) }
  }
}

/// Reads the fields of a ``FieldLine`` in the order in which they were appended.
struct FieldReader {
  /// A field is missing or has another type.
  struct Malformed: Error {}

  private var rest: ArraySlice<UInt8>

  /// - Parameter line: without its newline.
  init(_ line: ArraySlice<UInt8>) { rest = line }

  var isAtEnd: Bool { rest.isEmpty }

  private mutating func field() throws(Malformed) -> ArraySlice<UInt8> {
    guard let end = rest.firstIndex(of: FieldLine.tab) else { throw Malformed() }
    defer { rest = rest[(end + 1)...] }
    return rest[..<end]
  }

  mutating func int() throws(Malformed) -> Int {
    let digits = try field()
    var value = 0
    // Fewer than 18 digits cannot overflow below.
    guard !digits.isEmpty, digits.count < 18, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      guard let value = Int(String(decoding: digits, as: UTF8.self)) else { throw Malformed() }
      return value
    }
    for digit in digits { value = value * 10 + Int(digit - 0x30) }
    return value
  }

  mutating func text() throws(Malformed) -> String {
    guard let text = try optionalText() else { throw Malformed() }
    return text
  }

  mutating func optionalText() throws(Malformed) -> String? {
    let bytes = try field()
    guard let first = bytes.firstIndex(of: FieldLine.escape) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    if bytes.elementsEqual([FieldLine.escape, UInt8(ascii: "N")]) { return nil }
    var text = Array(bytes[..<first])
    var isEscaped = false
    for byte in bytes[first...] {
      if !isEscaped, byte == FieldLine.escape {
        isEscaped = true
        continue
      }
      switch (isEscaped, byte) {
      case (true, UInt8(ascii: "t")): text.append(FieldLine.tab)
      case (true, UInt8(ascii: "n")): text.append(UInt8(ascii: "\n"))
      case (true, FieldLine.escape), (false, _): text.append(byte)
      default: throw Malformed()
      }
      isEscaped = false
    }
    if isEscaped { throw Malformed() }
    return String(decoding: text, as: UTF8.self)
  }

  mutating func array<Element>(
    _ element: (inout FieldReader) throws(Malformed) -> Element
  ) throws(Malformed) -> [Element] {
    // Each element has at least one field.
    let count = try int()
    guard count >= 0, count <= rest.count else { throw Malformed() }
    var elements: [Element] = []
    for _ in 0..<count { elements.append(try element(&self)) }
    return elements
  }
}
