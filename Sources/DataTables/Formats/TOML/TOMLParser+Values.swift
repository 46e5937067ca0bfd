extension TOMLParser {
  /// The value of a key; an array with the lines of its elements.
  mutating func parseMember(depth: Int) throws -> TOMLTable.Member {
    guard byte == UInt8(ascii: "[") else { return .value(try parseValue(depth: depth)) }
    var lines: [Int] = []
    let elements = try parseArray(depth: depth) { lines.append($0) }
    return .array(elements, lines: lines)
  }

  private mutating func parseValue(depth: Int) throws -> Value {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try parseText())
    case UInt8(ascii: "["): return .array(try parseArray(depth: depth) { _ in })
    case UInt8(ascii: "{"): return .record(try parseInlineTable(depth: depth))
    default: return try parseWord()
    }
  }

  private mutating func parseArray(depth: Int, note: (Int) -> Void) throws -> [Value] {
    try check(depth: depth + 1)
    var elements: [Value] = []
    index += 1
    while true {
      try skipSpaceAndComments()
      if byte == UInt8(ascii: "]") { break }
      try checkCancellation()
      note(line)
      elements.append(try parseValue(depth: depth + 1))
      try skipSpaceAndComments()
      if byte == UInt8(ascii: "]") { break }
      try expect(",", "or `]` after an element")
    }
    index += 1
    return elements
  }

  private mutating func parseInlineTable(depth: Int) throws -> Record {
    try check(depth: depth + 1)
    let table = TOMLTable(.header, line: line)
    index += 1
    while true {
      try skipSpaceAndComments()
      if byte == UInt8(ascii: "}") { break }
      try checkCancellation()
      try parsePair(into: table, depth: depth)
      try skipSpaceAndComments()
      if byte == UInt8(ascii: "}") { break }
      try expect(",", "or `}` after a value")
    }
    index += 1
    return table.record(&shapes)
  }

  /// A number, a date, a time or a bool.
  private mutating func parseWord() throws -> Value {
    let start = index
    skipWord()
    // A space may separate the date from the time.
    if index - start == 10, bytes[start + 4] == UInt8(ascii: "-"), index + 3 < bytes.count,
      byte == 0x20, bytes[index + 1].isDigit, bytes[index + 2].isDigit,
      bytes[index + 3] == UInt8(ascii: ":")
    {
      index += 1
      skipWord()
    }
    let word = bytes[start..<index]
    guard let first = word.first else {
      throw failure("expected a value, found \(found)")
    }
    if let value = TOMLWord.value(word) { return value }
    index = start
    let text = String(decoding: word.prefix(60), as: UTF8.self)
    let isText = !first.isDigit && first != UInt8(ascii: "-")
    throw failure(
      isText ? "text must be in quotes: `\(text)`" : "`\(text)` is neither a number nor a date")
  }

  private mutating func skipWord() {
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: ":"):
        index += 1
      default: return
      }
    }
  }

}
