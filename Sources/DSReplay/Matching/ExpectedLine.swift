import Glibc

/// Where a line stands that says what is expected.
enum LinePlace: Hashable, Sendable {
  /// Counted from 1.
  case script(Int)
  /// One of the files beside the script that a command names, in their order; its lines count from 0.
  case file(Int, line: Int)
}

/// A line of output as it is expected.
struct ExpectedLine: Sendable {
  enum Kind: Sendable {
    case text(String)
    case pattern(LinePattern)
    /// Any number of lines.
    case anyLines
  }
  let kind: Kind
  /// nil for one that stands nowhere yet.
  var place: LinePlace?
  /// How a literal brace is written.
  var braces = LinePattern.Braces.doubled

  /// Of the script; nil for a line of a file beside it.
  var line: Int? { if case .script(let line) = place { line } else { nil } }

  var isAnyLines: Bool { if case .anyLines = kind { true } else { false } }

  /// The text of a line without holes.
  var text: String? {
    switch kind {
    case .text(let text): text
    case .pattern(let pattern): pattern.plainText
    case .anyLines: nil
    }
  }

  /// The pattern of a line with holes.
  var patternWithHoles: LinePattern? {
    if case .pattern(let pattern) = kind, pattern.numberOfHoles > 0 { pattern } else { nil }
  }

  /// Whether the line is as expected; what it captures is kept.
  func matches(_ actual: String, _ captures: inout Captures) -> Bool {
    switch kind {
    case .anyLines: return true
    case .text(let text): return text.hasBytes(of: actual)
    case .pattern(let pattern):
      if let text = pattern.plainText { return text.hasBytes(of: actual) }
      var matcher = LineMatcher(pattern, actual, captures: captures)
      guard matcher.matches() else { return false }
      captures = matcher.captures
      return true
    }
  }

  /// Whether the line can be as expected, whatever the holes of the same command took.
  func mayMatch(_ actual: String, _ captures: Captures) -> Bool {
    var captures = captures
    return matches(actual, &captures)
  }

  /// As it is shown and was written, without its marker.
  var written: String {
    switch kind {
    case .text(let text): LineEnding.written(text)
    case .pattern(let pattern): LineEnding.written(pattern.written(braces))
    case .anyLines: "#..."
    }
  }
}

extension String {
  /// Whether both are the same byte by byte: texts that only look alike are not the same output.
  fileprivate func hasBytes(of other: String) -> Bool {
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
