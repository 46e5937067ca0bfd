extension ObjectKeyPath {
  /// Parses a path as it is typed: keys with dots between them, `[0]` for an index in an array,
  /// `[-1]` for one from the end, `[0:3]` for a range, and keys with special characters in quotes
  /// (`address."zip code"`). The escapes of Swift and JSON are available in `"…"`, not in `'…'`.
  ///
  /// - Throws: ``TableError/badArgument(_:)`` with the position of the first wrong character, from
  ///   0.
  public init(parsing text: String) throws(TableError) {
    var parser = KeyPathParser(text)
    self.init(try parser.parse())
  }
}

extension ObjectKeyPath.Step {
  /// The step for the text between brackets: `0`, `-1`, `0:3`, `1:`, `:2`, or as in Cocoa `FIRST`,
  /// `LAST` or `SIZE`; nil for any other text.
  package init?(index text: String) {
    switch text {
    case "FIRST": self = .index(0)
    case "LAST": self = .index(-1)
    case "SIZE": self = .collection(.count)
    default:
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        .map { String($0.filter { $0 != " " }) }
      let bounds = parts.map(Self.integer)
      guard zip(parts, bounds).allSatisfy({ $0.isEmpty || $1 != nil }) else { return nil }
      switch bounds.count {
      case 1:
        guard let index = bounds[0] else { return nil }
        self = .index(index)
      case 2: self = .range(bounds[0], bounds[1])
      default: return nil
      }
    }
  }

  /// - Parameter text: digits, after a `-` for an index from the end.
  private static func integer(_ text: String) -> Int? {
    text.utf8.first == UInt8(ascii: "+") ? nil : Int(text)
  }
}

private struct KeyPathParser {
  let text: String
  // Scalars, because a dot before a combining mark is still a dot.
  let scalars: [Unicode.Scalar]
  var position = 0

  init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
  }

  private var next: Unicode.Scalar? {
    position < scalars.count ? scalars[position] : nil
  }

  mutating func parse() throws(TableError) -> [ObjectKeyPath.Step] {
    var steps: [ObjectKeyPath.Step] = []
    repeat {
      if next == "[" {
        steps.append(try index())
      } else {
        if !steps.isEmpty {
          guard next == "." else { throw failure("expects `.` or `[`", at: position) }
          position += 1
        }
        steps.append(try keyOrOperator())
      }
    } while next != nil
    return steps
  }

  private mutating func keyOrOperator() throws(TableError) -> ObjectKeyPath.Step {
    if let quote = next, quote == "\"" || quote == "'" { return .key(try quoted(quote)) }
    return ObjectKeyPath.Step(word: try key())
  }

  private mutating func key() throws(TableError) -> String {
    let start = position
    while let scalar = next, scalar != ".", scalar != "[" {
      if scalar == "\"" || scalar == "]" {
        throw failure("has a `\(scalar)` inside a key; quote the key", at: position)
      }
      position += 1
    }
    guard position > start else { throw failure("has an empty key", at: start) }
    return string(start..<position)
  }

  private mutating func index() throws(TableError) -> ObjectKeyPath.Step {
    let start = position + 1
    while let scalar = next, scalar != "]" { position += 1 }
    guard next == "]", let step = ObjectKeyPath.Step(index: string(start..<position)) else {
      throw failure("expects an index such as `[0]`, `[-1]` or `[0:3]`", at: start)
    }
    position += 1
    return step
  }

  private mutating func quoted(_ quote: Unicode.Scalar) throws(TableError) -> String {
    let start = position
    position += 1
    var key = ""
    while let scalar = next {
      position += 1
      if scalar == quote { return key }
      if scalar == "\\", quote == "\"" {
        key.unicodeScalars.append(try escape())
      } else {
        key.unicodeScalars.append(scalar)
      }
    }
    throw failure("has an unclosed quote", at: start)
  }

  private mutating func escape() throws(TableError) -> Unicode.Scalar {
    let start = position - 1
    guard let scalar = next else { throw failure("has an unclosed quote", at: start) }
    position += 1
    switch scalar {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "0": return "\0"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "\"", "'", "\\", "/": return scalar
    case "u": return try hexadecimal(from: start)
    default: throw failure("has an unknown escape `\\\(scalar)`", at: start)
    }
  }

  /// `\u{1F600}` as in Swift, or `\u00e9` as in JSON, where a surrogate pair represents one scalar.
  private mutating func hexadecimal(from start: Int) throws(TableError) -> Unicode.Scalar {
    if next == "{" {
      let end = scalars[position...].firstIndex(of: "}") ?? scalars.count
      let digits = string(position + 1..<end)
      position = min(end + 1, scalars.count)
      if digits.count <= 8, let value = UInt32(digits, radix: 16),
        let scalar = Unicode.Scalar(value)
      {
        return scalar
      }
    } else if let high = unit() {
      if let scalar = Unicode.Scalar(high) { return scalar }
      if UTF16.isLeadSurrogate(high), next == "\\" {
        position += 2
        if let low = unit(), UTF16.isTrailSurrogate(low) {
          return UTF16.decode(UTF16.EncodedScalar([high, low]))
        }
      }
    }
    throw failure("has a `\\u` that is not a character", at: start)
  }

  private mutating func unit() -> UInt16? {
    guard position + 4 <= scalars.count else { return nil }
    let digits = string(position..<position + 4)
    guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit) else { return nil }
    position += 4
    return UInt16(digits, radix: 16)
  }

  private func string(_ range: Range<Int>) -> String {
    // Most paths are ASCII, where each byte is a scalar.
    if text.utf8.count == scalars.count {
      let bytes = text.utf8.dropFirst(range.lowerBound).prefix(range.count)
      return String(decoding: bytes, as: UTF8.self)
    }
    var string = ""
    for scalar in scalars[range] { string.unicodeScalars.append(scalar) }
    return string
  }

  private func failure(_ what: String, at offset: Int) -> TableError {
    .badArgument("key path `\(text)` \(what), at character \(string(0..<offset).count)")
  }
}
