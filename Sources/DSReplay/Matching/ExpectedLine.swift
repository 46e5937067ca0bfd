import Glibc

/// The location of an expected line.
enum LineLocation: Hashable, Sendable {
  /// Counted from 1.
  case script(Int)
  /// A line of a side file (`#<`): the index of the file among the side files of the command, and
  /// the line, both counted from 0.
  case file(Int, line: Int)
}

/// An expected line of output.
struct ExpectedLine: Sendable {
  enum Kind: Sendable {
    case text(String)
    case pattern(LinePattern)
    /// Any number of lines.
    case anyLines
    /// Lines that are compared by their digest; the output has one line with the digest in their place
    /// (``ComparedLines``).
    case digest(LinesDigest)
  }
  let kind: Kind
  /// nil for a line that is not in a file yet.
  var location: LineLocation?
  /// The syntax of literal braces.
  var braces = LinePattern.Braces.doubled

  /// The line in the script; nil for a line of a side file.
  var line: Int? { if case .script(let line) = location { line } else { nil } }

  /// Whether it is, or will be, a line of the script, and not of a side file.
  var isInScript: Bool { if case .file = location { false } else { true } }

  var isAnyLines: Bool { if case .anyLines = kind { true } else { false } }

  /// The text of a line without holes.
  var text: String? {
    switch kind {
    case .text(let text): text
    case .pattern(let pattern): pattern.plainText
    case .digest(let digest): digest.text
    case .anyLines: nil
    }
  }

  /// The pattern of a line with holes.
  var patternWithHoles: LinePattern? {
    if case .pattern(let pattern) = kind, pattern.numberOfHoles > 0 { pattern } else { nil }
  }

  /// Whether the line matches; if it does, its captures are added.
  func matches(_ actual: String, _ captures: inout Captures) -> Bool {
    switch kind {
    case .anyLines: return true
    case .text(let text): return text.hasBytes(of: actual)
    case .digest(let digest): return digest.text.hasBytes(of: actual)
    case .pattern(let pattern):
      if let text = pattern.plainText { return text.hasBytes(of: actual) }
      var matcher = LineMatcher(pattern, actual, captures: captures)
      guard matcher.matches() else { return false }
      captures = matcher.captures
      return true
    }
  }

  /// Whether the line matches, without keeping its captures.
  func mayMatch(_ actual: String, _ captures: Captures) -> Bool {
    var captures = captures
    return matches(actual, &captures)
  }

  /// The text as written in the script, without its marker.
  var written: String {
    switch kind {
    case .text(let text): LineEnding.written(text)
    case .pattern(let pattern): LineEnding.written(pattern.written(braces))
    case .digest(let digest): digest.text
    case .anyLines: "#..."
    }
  }
}

extension String {
  /// Whether both strings have the same bytes. Canonically equivalent strings with different bytes
  /// are different output.
  func hasBytes(of other: String) -> Bool {
    var (text, other) = (self, other)
    return text.withUTF8 { bytes in
      other.withUTF8 { other in
        guard bytes.count == other.count else { return false }
        guard let start = bytes.baseAddress, let second = other.baseAddress else { return true }
        return memcmp(start, second, bytes.count) == 0
      }
    }
  }
}
