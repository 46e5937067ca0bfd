/// Reads the sections of an INI text: the files of systemd, Git, MySQL, PHP and Python's
/// configparser, and desktop entries.
///
/// - A section is a record. Keys before the first section belong to a section without a name.
/// - A key ends at the first `=` or `:`. A key alone is true.
/// - A line that starts with `;`, `#` or `!` is a comment; elsewhere, only the prefix given as `comment:`
///   starts one, after white space.
/// - A value is continued by lines that are indented more than its key (configparser), and by a
///   backslash after white space at the end of a line (systemd).
/// - A value in quotes is the text between them; backslashes are ordinary characters.
/// - A key that repeats in a section has an array of values.
struct INIReader {
  struct Section {
    var name: String?
    /// The line of its header or, without one, of its first key.
    var line: Int
    fileprivate(set) var members: [(key: String, value: Value)] = []
    fileprivate var positions: [String: Int] = [:]
    /// The positions of keys that repeat, whose values are arrays.
    fileprivate var repeating: Set<Int> = []

    func has(_ key: String) -> Bool { positions[key] != nil }
  }

  private let bytes: UnsafeRawBufferPointer
  private let comment: [UInt8]?
  private(set) var sections: [Section] = []
  private(set) var findings = INIFindings()
  /// Whether a line is a header or has a key before `=` or `:`; otherwise the text is hardly INI.
  private(set) var hasStructure = false
  private var value: UnfinishedValue?

  /// A value that following lines may continue.
  private struct UnfinishedValue {
    var key: String
    var indentation: Int
    var text: [UInt8]
    /// Whether the last line ended with a backslash.
    var isOpen: Bool
  }

  /// - Parameter comment: the prefix of comments after a value; nil or empty if values have none.
  init(_ bytes: UnsafeRawBufferPointer, comment: String?) {
    self.bytes = bytes
    self.comment = comment.flatMap { $0.isEmpty ? nil : Array($0.utf8) }
  }

  /// - Throws: ``TableError/cancelled``; ``TableError/limit(_:setting:at:)`` for a section of more
  ///   than `maxRow` bytes; ``TableError/format(_:at:)`` for a malformed header and, in strict mode,
  ///   for a line without a key.
  mutating func read(_ options: ReadOptions, _ cancellation: Cancellation) throws {
    var lines = INILines(bytes)
    var sectionStart = 0
    while let line = lines.next() {
      if line.number & 0xFFF == 0 { try cancellation.check() }
      if line.trimmed.isEmpty {
        value?.isOpen = false
        continue
      }
      if isComment(line.trimmed) || continueValue(line) {
        try checkLength(of: line, from: sectionStart, options)
        continue
      }
      endValue()
      if bytes[line.trimmed.lowerBound] == UInt8(ascii: "[") {
        // Without its header, the keys that follow would be in the wrong section.
        guard let name = sectionName(line.trimmed) else {
          throw TableError.format(
            "expected `]` at the end of the header of a section",
            at: TextPosition(line: line.number, column: line.range.count + 1))
        }
        sections.append(Section(name: name, line: line.number))
        hasStructure = true
        sectionStart = line.range.lowerBound
      } else if isInclusion(line.trimmed) {
        findings.noteInclusion(string(line.trimmed), line: line.number)
      } else if !startValue(line) {
        let mark = Unicode.Scalar(bytes[line.trimmed.lowerBound])
        try reject(line, "has no key before `\(mark)`", options)
      }
      try checkLength(of: line, from: sectionStart, options)
    }
    endValue()
  }

  private func checkLength(
    of line: INILines.Line, from sectionStart: Int, _ options: ReadOptions
  ) throws {
    guard line.range.upperBound - sectionStart > options.limits.row else { return }
    throw TableError.limit(
      "a section has more than \(options.limits.row.counted("byte"))",
      setting: options.limits.rowSetting(for: bytes.count), at: TextPosition(line: line.number))
  }

  private func isComment(_ text: Range<Int>) -> Bool {
    let first = bytes[text.lowerBound]
    return first == UInt8(ascii: ";") || first == UInt8(ascii: "#")
      || first == UInt8(ascii: "!") && !isInclusion(text)
      || comment.map { bytes[text].starts(with: $0) } ?? false
  }

  /// Whether a line inserts other files, as in the files of MySQL: `!include` or `!includedir` with a
  /// path.
  private func isInclusion(_ text: Range<Int>) -> Bool {
    ["!include ", "!include\t", "!includedir ", "!includedir\t"].contains {
      bytes[text].starts(with: $0.utf8)
    }
  }

  /// The name in the brackets of a header, which only a comment may follow; nil if the line is not
  /// a header.
  private func sectionName(_ text: Range<Int>) -> String? {
    var end = text.upperBound - 1
    if bytes[end] != UInt8(ascii: "]") {
      guard let close = text.first(where: { isClosedBeforeComment($0, text) }) else { return nil }
      end = close
    }
    return string(INILines.trim(bytes, text.lowerBound + 1..<end))
  }

  private func isClosedBeforeComment(_ index: Int, _ text: Range<Int>) -> Bool {
    guard bytes[index] == UInt8(ascii: "]") else { return false }
    let rest = INILines.trim(bytes, index + 1..<text.upperBound)
    return !rest.isEmpty && isComment(rest)
  }

  /// Adds a line to the value before it; returns false if the line starts anew.
  private mutating func continueValue(_ line: INILines.Line) -> Bool {
    guard var value else { return false }
    guard value.isOpen || line.indentation > value.indentation else { return false }
    let text = valueText(line.trimmed, line.number)
    // The text must have one reference, or each line would copy it.
    self.value = nil
    // An empty value before continued lines is how configparser's lists are written.
    if !value.text.isEmpty { value.text.append(value.isOpen ? 0x20 : 0x0A) }
    value.isOpen = endsWithBackslash(text)
    value.text += bytes[withoutBackslash(text)]
    self.value = value
    return true
  }

  /// Returns false if the line has no key.
  private mutating func startValue(_ line: INILines.Line) -> Bool {
    if sections.isEmpty { sections.append(Section(name: nil, line: line.number)) }
    let text = line.trimmed
    guard
      let mark = text.first(where: {
        bytes[$0] == UInt8(ascii: "=") || bytes[$0] == UInt8(ascii: ":")
      })
    else {
      append(string(valueText(text, line.number)), true)
      return true
    }
    let key = INILines.trim(bytes, text.lowerBound..<mark)
    guard !key.isEmpty else { return false }
    hasStructure = true
    let rest = valueText(INILines.trim(bytes, mark + 1..<text.upperBound), line.number)
    value = UnfinishedValue(
      key: string(key), indentation: line.indentation, text: Array(bytes[withoutBackslash(rest)]),
      isOpen: endsWithBackslash(rest))
    return true
  }

  /// The part of a value before a comment that follows white space.
  private mutating func valueText(_ text: Range<Int>, _ line: Int) -> Range<Int> {
    for index in text.dropFirst() where INILines.isSpace(bytes[index - 1]) {
      if let comment {
        if bytes[index..<text.upperBound].starts(with: comment) {
          return INILines.trim(bytes, text.lowerBound..<index)
        }
      } else if bytes[index] == UInt8(ascii: "#") || bytes[index] == UInt8(ascii: ";") {
        findings.noteComment(bytes[index], line: line)
        break
      }
    }
    return text
  }

  private func endsWithBackslash(_ text: Range<Int>) -> Bool {
    guard let last = text.last, bytes[last] == UInt8(ascii: "\\") else { return false }
    return text.count == 1 || INILines.isSpace(bytes[last - 1])
  }

  private func withoutBackslash(_ text: Range<Int>) -> Range<Int> {
    endsWithBackslash(text) ? INILines.trim(bytes, text.dropLast()) : text
  }

  private mutating func endValue() {
    guard let value else { return }
    self.value = nil
    append(value.key, .string(String(decoding: Self.unquoted(value.text), as: UTF8.self)))
  }

  /// The text between quotes at both ends that do not occur within it.
  private static func unquoted(_ text: [UInt8]) -> ArraySlice<UInt8> {
    guard text.count > 1, let quote = text.first, quote == text.last,
      quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    else { return text[...] }
    let inner = text.dropFirst().dropLast()
    return inner.contains(quote) ? text[...] : inner
  }

  private mutating func append(_ key: String, _ value: Value) {
    let last = sections.count - 1
    guard let position = sections[last].positions[key] else {
      sections[last].positions[key] = sections[last].members.count
      sections[last].members.append((key, value))
      return
    }
    if sections[last].repeating.insert(position).inserted {
      findings.noteRepeated(key)
      sections[last].members[position].value = .array([sections[last].members[position].value])
    }
    guard case .array(var values) = sections[last].members[position].value else { return }
    // Release the array in the section, so that appending does not copy it.
    sections[last].members[position].value = .null
    values.append(value)
    sections[last].members[position].value = .array(values)
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  private mutating func reject(
    _ line: INILines.Line, _ reason: String, _ options: ReadOptions
  ) throws {
    guard !options.isStrict else {
      throw TableError.format(
        "the line \(reason)", at: TextPosition(line: line.number, column: line.indentation + 1))
    }
    findings.reject(
      Reject(
        line: line.number, offset: line.range.lowerBound, column: line.indentation + 1,
        reason: reason, text: string(line.range.prefix(200))))
  }
}
