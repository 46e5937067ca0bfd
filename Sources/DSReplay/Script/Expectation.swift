/// A line that says what output is expected.
package struct Expectation: Sendable {
  package enum Kind: Sendable {
    /// `#| text`: a line of standard output, exactly.
    case line(String)
    /// `#~ text {int}`: a line of standard output with holes.
    case pattern(LinePattern)
    /// `#...`: any number of lines of standard output.
    case anyLines
    /// `#< file`: the lines of standard output stand in a file beside the script.
    case file(String)
    /// `#! text`: a line of standard error from `error:`, `warning:` or `trace:` on; may have holes.
    case errorLine(LinePattern)
  }
  package let kind: Kind
  /// Counted from 1.
  package let line: Int

  var isError: Bool { if case .errorLine = kind { true } else { false } }
}
