import DSInterpreter
import DataTables

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
    /// Whether the text is meant as a hole even in an error line, where other braces are literal.
    var isCertain = false
  }

  init(_ segments: [Segment]) { self.segments = segments }

  /// Whether a hole has a regular expression.
  var hasExpressions: Bool {
    segments.contains { if case .hole(.expression, _, _) = $0 { true } else { false } }
  }

  /// A pattern without holes.
  init(text: String) { segments = text.isEmpty ? [] : [.text(Array(text.utf8))] }

  var numberOfHoles: Int { segments.count { if case .text = $0 { false } else { true } } }

  /// The names that its holes capture.
  var captures: [String] {
    segments.compactMap { if case .hole(_, let name?, _) = $0 { name } else { nil } }
  }

  /// The holes that capture names.
  var namedHoles: [(name: String, hole: Hole)] {
    segments.compactMap { if case .hole(let hole, let name?, _) = $0 { (name, hole) } else { nil } }
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
        if braces == .doubled || error.isCertain { throw error }
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
    if let found = try expression(in: bytes, at: start) { return found }
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
    (Hole.names + ["/…/"] + names.sorted()).map { "{\($0)}" }.joined(separator: " ")
  }

  /// The hole with a regular expression that begins at `start`, such as `{/[a-z]+/}` or
  /// `{id=/[0-9]{4}/}`; nil for any other text. Braces in the expression are not doubled.
  private static func expression(
    in bytes: [UInt8], at start: Int
  ) throws(Mistake) -> (Segment, end: Int)? {
    let (slash, brace) = (UInt8(ascii: "/"), UInt8(ascii: "}"))
    guard let open = bytes[start...].firstIndex(where: { $0 == slash || $0 == brace }),
      bytes[open] == slash
    else { return nil }
    let head = String(decoding: bytes[start + 1..<open], as: UTF8.self)
    let name = head.isEmpty ? nil : String(head.dropLast())
    guard head.isEmpty || head.hasSuffix("=") && isName(name ?? "") else { return nil }
    var end = open + 1
    while end + 1 < bytes.count, !(bytes[end] == slash && bytes[end + 1] == brace) {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard end + 1 < bytes.count else {
      throw Mistake(
        message: "unclosed `{/`; a regular expression ends in `/}`", range: start..<open + 1)
    }
    let text = String(decoding: bytes[open + 1..<end], as: UTF8.self)
    do throws(RegularExpressionError) {
      let hole = Hole.expression(try LineExpression(text))
      let written = String(decoding: bytes[start + 1..<end + 1], as: UTF8.self)
      return (.hole(hole, name: name, text: written), end + 2)
    } catch {
      let offset = text.prefix(error.position ?? 0).utf8.count
      let place = min(open + 1 + offset, end)
      throw Mistake(
        message: "`\(text)` is not a supported regular expression: \(error.reason)",
        range: error.position == nil ? open..<end + 1 : place..<place + 1, isCertain: true)
    }
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
