import DataTables

/// A key path that is being typed: `address."zip code".na`.
struct TypedPath {
  /// The text up to the last dot, including it.
  let lead: String

  /// Returns nil for a text without a dot outside of quotes.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    var end: Int?
    var quote: UInt8?
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      if let open = quote {
        if byte == open { quote = nil }
        if byte == UInt8(ascii: "\\"), open == UInt8(ascii: "\"") { position += 1 }
      } else if byte == UInt8(ascii: ".") {
        end = position + 1
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), end ?? 0 == position {
        // A quote opens at the start of a key only.
        quote = byte
      }
      position += 1
    }
    guard let end else { return nil }
    lead = String(decoding: bytes[..<end], as: UTF8.self)
  }

  /// The path before the last dot; nil if it cannot be parsed.
  var path: ObjectKeyPath? { try? ObjectKeyPath(parsing: String(lead.dropLast())) }

  /// Keys that continue the path, as candidates.
  func candidates(_ keys: [String]) -> [CompletionCandidate] {
    keys.map { key in
      .word(lead + ObjectKeyPath.written(key), content: lead + key)
    }
  }
}

extension ObjectKeyPath {
  /// A key or a collection operator as it is typed in a path.
  static func written(_ word: String) -> String { Self([Step(word: word)]).description }
}
