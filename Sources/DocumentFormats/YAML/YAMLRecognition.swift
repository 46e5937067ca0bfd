import DataTables

/// Recognizes YAML by its lines: nearly every text is YAML, but most are a single string.
enum YAMLRecognition {
  /// Whether the lines are keys and list items: several different keys, and few other lines.
  /// - Parameter lines: lines that are neither blank nor comments.
  static func isLikely(_ lines: [ArraySlice<UInt8>]) -> Bool {
    guard let first = lines.first else { return false }
    let isMarked = first.elementsEqual("---".utf8) || first.starts(with: "--- ".utf8)
    var keys: Set<ArraySlice<UInt8>> = []
    var others = 0
    var inBlock: Int?
    for line in lines.dropFirst(isMarked ? 1 : 0) {
      let indentation = line.prefix { $0 == 0x20 }.count
      // The lines of a block string, which are indented more than its key.
      if let block = inBlock, indentation > block { continue }
      inBlock = nil
      let (key, isItem) = key(of: line[(line.startIndex + indentation)...])
      if let key {
        keys.insert(key)
        if endsWithBlockMark(line) { inBlock = indentation }
      } else if !isItem, indentation == 0 {
        others += 1
        if others * 10 > SampleLines.maxLines { return false }
      }
    }
    guard others * 10 <= lines.count else { return false }
    return isMarked ? !keys.isEmpty : keys.count > 1
  }

  /// The key of `key: value` or `key:`, after any `- `; and whether the line starts with `-`.
  private static func key(of line: ArraySlice<UInt8>) -> (ArraySlice<UInt8>?, Bool) {
    var rest = line
    var isItem = false
    while rest.first == UInt8(ascii: "-") {
      rest.removeFirst()
      guard rest.isEmpty || rest.first == 0x20 else { return (nil, false) }
      isItem = true
      rest = rest.drop { $0 == 0x20 }
    }
    guard let colon = rest.firstIndex(of: UInt8(ascii: ":")), colon > rest.startIndex,
      colon + 1 == rest.endIndex || rest[colon + 1] == 0x20, rest[..<colon].allSatisfy(isKeyByte)
    else { return (nil, isItem) }
    return (rest[..<colon], isItem)
  }

  /// Keys of other characters are possible, but do not help to recognize YAML.
  private static func isKeyByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...:
      true
    default: " _-./\"'$@".utf8.contains(byte)
    }
  }

  /// Whether the value is a block string: `key: |`, `key: >-`.
  private static func endsWithBlockMark(_ line: ArraySlice<UInt8>) -> Bool {
    let mark = line.reversed().prefix { $0 != 0x20 }
    return mark.last == UInt8(ascii: "|") || mark.last == UInt8(ascii: ">")
  }
}
