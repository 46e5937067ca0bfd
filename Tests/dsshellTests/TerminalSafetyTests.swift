import Foundation
import Testing

/// Nothing in data or names controls a terminal, in any style and in any report.
@Suite struct TerminalSafetyTests {
  /// An erasure of the screen, a title by OSC, an 8-bit CSI, a reversal of the direction and DEL.
  private static let data = #"x\u{1B}[2J\u{1B}]0;t\u{7}\u{9B}31m\u{202E}\u{7F}y"#

  /// The bytes that would control a terminal, apart from line ends and the shell's own colors.
  private func controls(in text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x0A, 0x0D, 0x09: false
      case 0...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
  }

  @Test(arguments: ["table", "box", "json", "jsonl", "csv", "tsv", "markdown", "line", "html"])
  func dataDoesNotControlTheTerminal(style: String) throws {
    let folder = try TemporaryFolder()
    let script = try folder.write(
      "a.ds", "let s = simple [{a: \"\(Self.data)\"}] name: \"\(Self.data)\" | fetch\nobjects s\n")
    let session = try TerminalSession(
      ["--output", style, script], environment: ["NO_COLOR": "1", "TERM": "dumb"])
    let output = try session.end().rest
    #expect(output.contains("y"))
    #expect(controls(in: output) == [])
  }

  @Test(arguments: ["tap", "junit", "jsonl", "github", "human"])
  func namesOfFilesDoNotControlTheTerminal(report: String) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("x\u{1B}[2J\u{9B}y.ds", "print 1\n#| 2\n")
    let session = try TerminalSession(
      ["test", "--report", report, folder.path],
      environment: ["NO_COLOR": "1", "TERM": "dumb", "HOME": folder.path])
    let output = try session.end().rest
    #expect(output.contains("y.ds"))
    #expect(controls(in: output) == [])
  }

  @Test func optionsDoNotControlTheTerminal() throws {
    let session = try TerminalSession(
      ["--\u{1B}[2Jx"], environment: ["NO_COLOR": "1", "TERM": "dumb"])
    let output = try session.end().rest
    #expect(controls(in: output) == [])
  }
}
