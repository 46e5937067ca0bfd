import DSInterpreter
import DSRendering

/// Outputs as lines, as dsshell shows them without a terminal.
enum PlainText {
  static func lines(of output: Output) async throws -> [String] {
    var text = ""
    for part in [output, Output(output.changes)] {
      try await TableStyle().render(part, for: TerminalTraits(rowLimit: nil)) { text += $0 }
    }
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// The lines without the location and the line with the caret.
  static func lines(of diagnostic: Diagnostic) -> [String] {
    var placeless = diagnostic
    placeless.place = nil
    let text = TableStyle().render(placeless, for: TerminalTraits())
    return text.split(separator: "\n").map(String.init)
  }
}
