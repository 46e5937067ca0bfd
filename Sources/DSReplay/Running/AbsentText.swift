import DSInterpreter

/// A text that must not occur in the output of a command (`#-`), and the lines with it.
struct AbsentText {
  let text: String
  /// The line of the script that excludes it.
  let line: Int
  /// The lines of standard output and standard error that contain it.
  let found: [String]

  var message: String { "the output contains `\(text)`, which line \(line) excludes" }

  /// The excluded texts of a command that occur in its output.
  static func occurrences(of command: ReplayCommand, in captured: CapturedOutput) -> [AbsentText] {
    // Usually there are none, and this runs for every command.
    guard command.expectations.contains(where: \.isAbsence) else { return [] }
    return command.expectations.compactMap { expectation in
      guard case .absent(let text) = expectation.kind else { return nil }
      // By bytes: a combining mark behind the text would be part of its last character.
      let found = (captured.output + captured.errors).filter { $0.utf8.contains(text.utf8) }
      return found.isEmpty ? nil : AbsentText(text: text, line: expectation.line, found: found)
    }
  }
}

extension FailurePicture {
  /// Adds the texts that must not occur.
  /// - Parameter showsLines: whether the lines with them are shown, too.
  mutating func add(_ occurrences: [AbsentText], showsLines: Bool) {
    for occurrence in occurrences {
      if showsLines { addActual(Array(occurrence.found.prefix(3))) }
      let others = occurrence.found.count - 3
      note(occurrence.message + (others > 0 ? ", in \(counted(others, "more line"))" : ""))
    }
  }
}
