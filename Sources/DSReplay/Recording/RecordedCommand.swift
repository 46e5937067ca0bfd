import DSInterpreter

/// A command that was typed, with what it told as what is expected.
struct RecordedCommand {
  let text: String
  var output: [ExpectedLine]
  var errors: [ExpectedLine]

  init(text: String, _ captured: CapturedOutput) {
    self.text = text
    output = captured.output.map { ExpectedLine(kind: .text($0)) }
    errors = captured.errors.map { ExpectedLine(kind: .pattern(LinePattern(text: $0))) }
  }

  /// As it stands in a script.
  var written: String {
    var lines = [text]
    for line in output {
      switch line.kind {
      case .text(let text): lines.append(Marker.outputLine(text))
      case .pattern(let pattern): lines.append(Marker.outputLine(pattern))
      case .anyLines: lines.append(Marker.anyLines.text)
      }
    }
    for line in errors {
      guard case .pattern(let pattern) = line.kind else { continue }
      lines.append(Marker.errorLine(pattern))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Whether a script reads all of it as one command with what is expected of it.
  func parsesAlone(_ commands: CommandTable) -> Bool {
    let script = ReplayScript(written, path: "", commands: commands)
    return script.mistakes.isEmpty
      && script.commands.map(\.expectations.count) == [output.count + errors.count]
  }
}
