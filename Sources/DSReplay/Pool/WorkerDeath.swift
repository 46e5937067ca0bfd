import DSInterpreter
import DSRendering
import DataSources
import DataTables

/// A worker that ended before its file did.
struct WorkerDeath {
  enum Cause {
    /// With a description of how the process ended.
    case crash(String)
    case timeout
    /// With the time limit of a file in milliseconds.
    case fileTimeout(Int)
  }
  let job: TestJob
  /// The line of the running command, counted from 1; 0 while the script was read.
  let line: Int
  let cause: Cause
  /// The output of the command.
  let output: String
  /// The ended sections that the worker reported. It does not report a section whose commands all
  /// passed quickly.
  let sections: [SectionOutcome]
  /// The failures in the section that ran.
  let failures: [CommandFailure]

  private static let maximumLines = 20

  private var kind: CommandFailure.Kind { if case .crash = cause { .crash } else { .timeout } }

  private var message: String {
    switch cause {
    case .crash(let how): "the command did not end: \(how)"
    case .timeout: "the command exceeded its time limit, ignored the cancellation, and was ended"
    case .fileTimeout(let time):
      "the file exceeded its time limit of \(Duration.milliseconds(time).shortText) and was ended here"
    }
  }

  /// The outcome of the file: the reported results, a failure at the line that ran, and the later
  /// commands as not run.
  func outcome(commands: CommandTable, rerun: String) -> FileOutcome {
    var outcome = FileOutcome(path: job.path)
    // A script that kills its reader must not be read here.
    guard line > 0, let script = script(commands) else {
      outcome.sections = [sectionOfUnreadScript]
      return outcome
    }
    outcome.stamp = script.stamp
    let current = sectionIndex(in: script)
    outcome.sections = script.sections.prefix(current).map(ended)
    for (index, section) in script.sections.enumerated().dropFirst(current) {
      var result = SectionOutcome(title: section.title, line: section.line)
      let lines = section.commands.map { script.commands[$0].lines.lowerBound }
      result.notRunCommands = lines.count { $0 > line }
      if index == current {
        result.failures = failures + [failure(in: script, section: index, rerun)]
        result.passedCommands = max(0, lines.count { $0 < line } - failures.count)
      } else {
        result.reason = "line \(line) ended the file"
      }
      outcome.sections.append(result)
    }
    // The passed commands are unknown.
    outcome.applyExpectedFailures(of: script, passed: [])
    for index in outcome.sections.indices { outcome.sections[index].updateStatus() }
    return outcome
  }

  /// The index of the section that ran.
  private func sectionIndex(in script: ReplayScript) -> Int {
    let lastReported = script.sections.lastIndex { section in
      sections.contains { $0.line == section.line }
    }
    let index = script.sections.firstIndex { section in
      section.commands.contains { script.commands[$0].lines.lowerBound == line }
    }
    return max(index ?? 0, lastReported.map { $0 + 1 } ?? 0)
  }

  private func ended(_ section: ReplayScript.Section) -> SectionOutcome {
    if let reported = sections.first(where: { $0.line == section.line }) { return reported }
    var passed = SectionOutcome(title: section.title, line: section.line)
    passed.passedCommands = section.commands.count
    return passed
  }

  private func script(_ commands: CommandTable) -> ReplayScript? {
    let text = try? TextFile.read(job.path, cancellation: Cancellation())
    return text.map { ReplayScript($0, path: job.path, commands: commands) }
  }

  private func failure(in script: ReplayScript, section: Int, _ rerun: String) -> CommandFailure {
    var failure = CommandFailure(line: line, kind: kind, message: message)
    guard let command = script.commands.first(where: { $0.lines.lowerBound == line }) else {
      failure.picture = ["FAIL \(job.path):\(line)".escapingControls(), "     │ \(message)"]
      return failure
    }
    var picture = FailurePicture(command, in: script, section: section, rerun: rerun)
    let lines = OutputCapture.lines(of: output)
    if lines.count > Self.maximumLines { picture.note("… the last \(Self.maximumLines) lines:") }
    picture.addActual(lines.suffix(Self.maximumLines))
    picture.note(message)
    failure.picture = picture.lines(canAccept: false)
    return failure
  }

  private var sectionOfUnreadScript: SectionOutcome {
    var failure = CommandFailure(line: 1, kind: kind, message: message)
    failure.picture = [
      "FAIL \(job.path):1".escapingControls(), "     │ while the script was read: \(message)",
    ]
    var section = SectionOutcome(title: nil, line: 1)
    section.failures = [failure]
    section.status = .failed
    return section
  }
}
