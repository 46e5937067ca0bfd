import DSInterpreter

/// A line with holes: `letters: {int} sections, {n=int} objects`.
package struct LinePattern: Sendable {
  enum Segment: Sendable, Equatable {
    case text([UInt8])
    /// `{int}` or `{n=int}`, with the text in the braces.
    case hole(Hole, name: String?, text: String)
    /// `{n}`: the text that `{n=…}` matched; `{n~1e-6}`: a number within the tolerance of the
    /// number that `{n=…}` matched.
    case reference(String, tolerance: Double?, text: String)
  }
  /// Adjacent texts are merged.
  let segments: [Segment]

  /// `doubled`: a single brace is a mistake. `lenient`, for error lines: a `{` that does not open a
  /// hole is a literal brace.
  enum Braces { case doubled, lenient }

  /// A syntax error in a pattern, with the range of its bytes in the text.
  struct Mistake: Error {
    let message: String
    var suggestion: String?
    let range: Range<Int>
  }

  init(_ segments: [Segment]) { self.segments = segments }

  /// A pattern without holes.
  init(text: String) { segments = text.isEmpty ? [] : [.text(Array(text.utf8))] }

  var numberOfHoles: Int { segments.count { if case .text = $0 { false } else { true } } }

  /// The names that its holes capture.
  var captures: [String] {
    segments.compactMap { if case .hole(_, let name?, _) = $0 { name } else { nil } }
  }

  /// The names to which the pattern refers.
  var references: [String] {
    segments.compactMap { if case .reference(let name, _, _) = $0 { name } else { nil } }
  }

  /// The text of a pattern without holes; nil if it has holes.
  var plainText: String? {
    if segments.isEmpty { return "" }
    guard segments.count == 1, case .text(let bytes) = segments[0] else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}

// Parsing.
extension LinePattern {
  /// - Parameter known: the names that lines above capture.
  init(
    parsing text: String, _ braces: Braces, known: Set<String>
  ) throws(Mistake) {
    let bytes = Array(text.utf8)
    var names = known
    var segments: [Segment] = []
    var literal: [UInt8] = []
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      guard Self.isBrace(byte) else {
        let end = bytes[position...].firstIndex(where: Self.isBrace) ?? bytes.count
        literal += bytes[position..<end]
        position = end
        continue
      }
      if position + 1 < bytes.count, bytes[position + 1] == byte {
        literal.append(byte)
        position += 2
        continue
      }
      do throws(Mistake) {
        let (segment, end) = try Self.hole(in: bytes, at: position, names)
        if case .hole(_, let name?, _) = segment { names.insert(name) }
        if !literal.isEmpty { segments.append(.text(literal)) }
        literal = []
        segments.append(segment)
        position = end
      } catch {
        if braces == .doubled { throw error }
        literal.append(byte)
        position += 1
      }
    }
    if !literal.isEmpty { segments.append(.text(literal)) }
    self.segments = segments
  }

  private static func isBrace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
  }

  private static func hole(
    in bytes: [UInt8], at start: Int, _ names: Set<String>
  ) throws(Mistake) -> (Segment, end: Int) {
    guard bytes[start] == UInt8(ascii: "{") else {
      throw Mistake(
        message: "unmatched `}`; write `}}` for a literal brace", range: start..<start + 1)
    }
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "}")) else {
      throw Mistake(
        message: "unclosed `{`; write `{{` for a literal brace",
        range: start..<start + 1)
    }
    let text = String(decoding: bytes[start + 1..<end], as: UTF8.self)
    guard let segment = segment(text, names) else {
      let isUnknown = isName(text) ? ", and no line above has {\(text)=…}" : ""
      throw Mistake(
        message: "unknown hole `\(text)`\(isUnknown); expected one of \(Self.listing(names))",
        suggestion: Suggestion.nearest(to: text, among: Hole.names + names.sorted()),
        range: start..<end + 1)
    }
    return (segment, end + 1)
  }

  private static func listing(_ names: Set<String>) -> String {
    (Hole.names + names.sorted()).map { "{\($0)}" }.joined(separator: " ")
  }

  /// The segment for the text in braces; nil if it is not a hole or a known name.
  private static func segment(_ text: String, _ names: Set<String>) -> Segment? {
    if let hole = Hole(text) { return .hole(hole, name: nil, text: text) }
    if let equals = text.firstIndex(of: "=") {
      let name = String(text[..<equals])
      guard isName(name), let hole = Hole(String(text[text.index(after: equals)...])) else {
        return nil
      }
      return .hole(hole, name: name, text: text)
    }
    if names.contains(text) { return .reference(text, tolerance: nil, text: text) }
    let parts = text.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, names.contains(String(parts[0])),
      let tolerance = Hole.tolerance(parts[1])
    else { return nil }
    return .reference(String(parts[0]), tolerance: tolerance, text: text)
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first == "_" || first.properties.isAlphabetic,
      !Hole.names.contains(text)
    else { return false }
    return text.unicodeScalars.allSatisfy {
      $0 == "_" || $0.properties.isAlphabetic || ("0"..."9").contains($0)
    }
  }
}

// Writing.
extension LinePattern {
  /// The pattern as written after its marker, before white space at its end is escaped.
  func written(_ braces: Braces) -> String {
    if braces == .lenient, let text = plainText, Self.isPlain(text) { return text }
    return segments.map(Self.written).joined()
  }

  private static func written(_ segment: Segment) -> String {
    switch segment {
    case .text(let bytes): doubledBraces(String(decoding: bytes, as: UTF8.self))
    case .hole(_, _, let text), .reference(_, _, let text): "{\(text)}"
    }
  }

  /// Whether a text without doubled braces parses as itself in an error line, for any set of known
  /// names.
  private static func isPlain(_ text: String) -> Bool {
    if !text.utf8.contains(UInt8(ascii: "{")), !text.utf8.contains(UInt8(ascii: "}")) {
      return true
    }
    let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    let read = try? LinePattern(parsing: text, .lenient, known: Set(words))
    return read?.plainText.map { $0.utf8.elementsEqual(text.utf8) } ?? false
  }

  private static func doubledBraces(_ text: String) -> String {
    var doubled = ""
    for scalar in text.unicodeScalars {
      if scalar == "{" || scalar == "}" { doubled.unicodeScalars.append(scalar) }
      doubled.unicodeScalars.append(scalar)
    }
    return doubled
  }
}
