import DataTables

/// Reads a property list in the text form of OpenStep: `{ key = value; }`, `(a, b)`, `<0fbd77>`,
/// strings with or without quotes, and comments. A file of `key = value;` alone is a dictionary.
struct OpenStepReader {
  private let bytes: [UInt8]
  private let maxDepth: DepthLimit
  private let cancellation: Cancellation
  private var index = 0
  private var line = 1
  private var lineStart = 0
  private var depth = 0
  private var valueCount = 0
  private var shapes = RecordShapes()
  /// The keys that lead to the current value; nil within an array.
  private var path: [String]? = []
  private(set) var lines = DocumentLines()
  private(set) var duplicates = CountedFinding(.duplicateKeys)
  private(set) var surrogates = CountedFinding(.loneSurrogates)

  /// - Parameter text: UTF-8.
  init(_ text: [UInt8], limits: ReadLimits, cancellation: Cancellation) {
    bytes = text
    maxDepth = DepthLimit(limits, supported: PropertyListReader.maxDepth)
    self.cancellation = cancellation
  }

  /// - Returns: the value and the line on which it starts.
  /// - Throws: ``TableError`` with the line and column.
  mutating func read() throws(TableError) -> (value: Value, line: Int) {
    try skipBlanks()
    let start = (index, line, lineStart)
    let first = line
    if let byte = current, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "(") {
      let value = try value()
      try skipBlanks()
      guard current == nil else { throw malformed("unexpected text after the end") }
      return (value, first)
    }
    guard current != nil else { throw malformed("the file is empty") }
    (index, line, lineStart) = start
    let value = try members(until: nil)
    return (.record(value), first)
  }

  private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func value() throws(TableError) -> Value {
    valueCount += 1
    if valueCount & 0xFFF == 0 { try cancellation.check() }
    switch current {
    case UInt8(ascii: "{"):
      try open()
      let record = try members(until: UInt8(ascii: "}"))
      depth -= 1
      return .record(record)
    case UInt8(ascii: "("):
      try open()
      let array = try elements()
      depth -= 1
      return .array(array)
    case UInt8(ascii: "<"): return .data(try data())
    default: return .string(try string())
    }
  }

  private mutating func open() throws(TableError) {
    guard depth < maxDepth.levels else { throw maxDepth.error(at: position) }
    depth += 1
    index += 1
  }

  private mutating func members(until end: UInt8?) throws(TableError) -> Record {
    var keys: [String] = []
    var values: [Value] = []
    var lines: [Int] = []
    let path = path
    let first = line
    while true {
      try skipBlanks()
      if current == end {
        if end != nil { index += 1 }
        break
      }
      lines.append(line)
      let key = try string()
      self.path = path.map { $0 + [key] }
      try skipBlanks()
      var value = Value.string(key)
      // `key;` stands for `key = key;`.
      if current == UInt8(ascii: "=") {
        index += 1
        try skipBlanks()
        value = try self.value()
        try skipBlanks()
      }
      keys.append(key)
      values.append(value)
      guard current == UInt8(ascii: ";") else { throw malformed("expected `;`") }
      index += 1
    }
    self.path = path
    let (record, hasDuplicate) = shapes.record(repeating: keys, values)
    // With duplicate keys, lines and members do not correspond.
    if hasDuplicate {
      duplicates.note(line: first)
    } else if let path {
      self.lines.note(lines, at: path)
    }
    return record
  }

  private mutating func elements() throws(TableError) -> [Value] {
    var elements: [Value] = []
    var lines: [Int] = []
    let path = path
    self.path = nil
    while true {
      try skipBlanks()
      if current == UInt8(ascii: ")") { break }
      lines.append(line)
      elements.append(try value())
      try skipBlanks()
      if current == UInt8(ascii: ")") { break }
      guard current == UInt8(ascii: ",") else { throw malformed("expected `,` or `)`") }
      index += 1
    }
    index += 1
    self.path = path
    if let path { self.lines.note(lines, at: path) }
    return elements
  }

  private mutating func data() throws(TableError) -> [UInt8] {
    var data: [UInt8] = []
    var high: UInt8?
    index += 1
    while let byte = current, byte != UInt8(ascii: ">") {
      if let digit = byte.hexadecimalDigit {
        if let first = high {
          data.append(first << 4 | digit)
          high = nil
        } else {
          high = digit
        }
      } else if !byte.isWhiteSpace {
        throw malformed("expected hexadecimal digits")
      }
      advance()
    }
    guard current != nil, high == nil else { throw malformed("unfinished data") }
    index += 1
    return data
  }

  private mutating func string() throws(TableError) -> String {
    guard let first = current else { throw malformed("the file ends early") }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return try quoted(first) }
    let start = index
    while let byte = current, Self.isWord(byte) { index += 1 }
    guard index > start else { throw malformed("expected a string") }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func quoted(_ quote: UInt8) throws(TableError) -> String {
    let start = position
    var units: [UInt8] = []
    index += 1
    while let byte = current, byte != quote {
      if byte == UInt8(ascii: "\\") {
        try escape(&units)
      } else {
        units.append(byte)
        advance()
      }
    }
    guard current != nil else {
      throw .format("malformed property list: a string without its closing quote", at: start)
    }
    index += 1
    return String(decoding: units, as: UTF8.self)
  }

  /// Reads an escape: `\n`, `\U00e9`, `\351` or any character after a backslash.
  private mutating func escape(_ units: inout [UInt8]) throws(TableError) {
    index += 1
    guard let byte = current else { return }
    switch byte {
    case UInt8(ascii: "n"): units.append(0x0A)
    case UInt8(ascii: "t"): units.append(0x09)
    case UInt8(ascii: "r"): units.append(0x0D)
    case UInt8(ascii: "U"), UInt8(ascii: "u"):
      index += 1
      try unicode(&units)
      return
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      var code: UInt32 = 0
      for _ in 0..<3 {
        guard let digit = current, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit) else {
          break
        }
        code = code << 3 | UInt32(digit - UInt8(ascii: "0"))
        index += 1
      }
      append(code, to: &units)
      return
    default: units.append(byte)
    }
    advance()
  }

  private mutating func unicode(_ units: inout [UInt8]) throws(TableError) {
    let high = try hexNumber()
    var code = high
    // A character beyond U+FFFF is written as two escapes.
    if (0xD800..<0xDC00).contains(high), index + 1 < bytes.count,
      bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] | 0x20 == UInt8(ascii: "u")
    {
      let second = index
      index += 2
      let low = try hexNumber()
      if (0xDC00..<0xE000).contains(low) {
        code = 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
      } else {
        // Another character, which is read next.
        index = second
      }
    }
    append(code, to: &units)
  }

  private mutating func hexNumber() throws(TableError) -> UInt32 {
    var code: UInt32 = 0
    var digits = 0
    while digits < 4, let byte = current, let digit = byte.hexadecimalDigit {
      code = code << 4 | UInt32(digit)
      digits += 1
      index += 1
    }
    guard digits > 0 else { throw malformed("expected hexadecimal digits") }
    return code
  }

  private mutating func append(_ code: UInt32, to units: inout [UInt8]) {
    if Unicode.Scalar(code) == nil { surrogates.note(line: line) }
    units.append(contentsOf: String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
  }
}

// Blanks, comments and places.
extension OpenStepReader {
  private mutating func advance() {
    if bytes[index] == UInt8(ascii: "\n") {
      line += 1
      lineStart = index + 1
    }
    index += 1
  }

  private mutating func skipBlanks() throws(TableError) {
    while let byte = current {
      if byte.isWhiteSpace {
        advance()
      } else if bytes[index...].starts(with: "//".utf8) {
        while let byte = current, byte != UInt8(ascii: "\n") { index += 1 }
      } else if bytes[index...].starts(with: "/*".utf8) {
        let start = position
        index += 2
        while index < bytes.count, !bytes[index...].starts(with: "*/".utf8) { advance() }
        guard index < bytes.count else {
          throw .format("malformed property list: a comment without its end", at: start)
        }
        index += 2
      } else {
        return
      }
    }
  }

  private var position: TextPosition {
    TextPosition(line: line, column: index - lineStart + 1)
  }

  private func malformed(_ message: String) -> TableError {
    .format("malformed property list: \(message)", at: position)
  }

  /// Whether a byte can be in a string without quotes.
  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
      UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-"), 0x80...:
      true
    default: false
    }
  }
}
