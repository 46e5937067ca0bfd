import DSInterpreter
import DSRendering
import DataSources
import DataTables
import DisplayText

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
  /// The run of a script with several in which the worker ended, and the sections of earlier runs.
  var variant: (name: String?, earlier: [SectionOutcome]) = (nil, [])

  /// The seed under which the script ran, if it was given.
  var seed: UInt64?

  private static let maximumLines = 20

  private var kind: CommandFailure.Kind { if case .crash = cause { .crash } else { .timeout } }

  private func message(of command: ReplayCommand?, _ settings: WorkerSettings) -> String {
    switch cause {
    case .crash(let how): return "the command did not end: \(how)"
    case .timeout:
      var environment = ReplayEnvironment()
      environment.commandTime = .milliseconds(settings.commandTime)
      return "the command "
        + environment.exceededTime(
          of: command?.setting.timeout, ending: "ignored the cancellation, and was ended")
    case .fileTimeout(let time):
      let limit = Duration.milliseconds(time)
      let seconds = max(1, Int((limit * 2 / WorkerSettings.commandsInFileTime) / .seconds(1)))
      let more = Duration.seconds(seconds * WorkerSettings.commandsInFileTime)
      return "the file exceeded its time limit of \(limit.shortText) and was ended here; "
        + "`--timeout \(seconds)` allows \(more.shortText)"
    }
  }

  /// The outcome of the file: the reported results, a failure at the line that ran, and the later
  /// commands as not run.
  func outcome(commands: CommandTable, _ settings: WorkerSettings) -> FileOutcome {
    let rerun = RerunCommand(
      command: settings.rerun, arguments: settings.arguments, seed: seed,
      hasUsualValues: settings.values.isEmpty)
    var outcome = FileOutcome(path: job.path)
    // A script that kills its reader must not be read here.
    guard line > 0, let script = script(commands) else {
      outcome.sections = [sectionOfUnreadScript(settings)]
      return outcome
    }
    outcome.stamp = script.stamp
    outcome.seed = seed
    let current = sectionIndex(in: script)
    outcome.sections = script.sections.prefix(current).map(ended)
    for (index, section) in script.sections.enumerated().dropFirst(current) {
      var result = SectionOutcome(section)
      let lines = section.commands.map { script.commands[$0].lines.lowerBound }
      result.notRunCommands = lines.count { $0 > line }
      if index == current {
        result.failures = failures + [failure(in: script, section: index, rerun, settings)]
        result.passedCommands = max(0, lines.count { $0 < line } - failures.count)
      } else {
        result.reason = "line \(line) ended the file"
      }
      outcome.sections.append(result)
    }
    // The passed commands are unknown.
    outcome.applyExpectedFailures(of: script, passed: [], rerun)
    for index in outcome.sections.indices { outcome.sections[index].updateStatus() }
    let run = ScriptVariant(name: variant.name)
    outcome.sections = variant.earlier + outcome.sections.map { $0.named(in: run) }
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
    // Scripts that are attached to a section run at its line.
    let attached = script.sections.lastIndex { $0.line == line }
    return max(index ?? attached ?? 0, lastReported.map { $0 + 1 } ?? 0)
  }

  private func ended(_ section: ReplayScript.Section) -> SectionOutcome {
    if let reported = sections.first(where: { $0.line == section.line }) { return reported }
    var passed = SectionOutcome(section)
    passed.passedCommands = section.commands.count
    return passed
  }

  private func script(_ commands: CommandTable) -> ReplayScript? {
    let text = try? TextFile.read(job.path, cancellation: Cancellation())
    return text.map { ReplayScript($0, path: job.path, commands: commands) }
  }

  private func failure(
    in script: ReplayScript, section: Int, _ rerun: RerunCommand, _ settings: WorkerSettings
  ) -> CommandFailure {
    let command = script.commands.first { $0.lines.lowerBound == line }
    let message = message(of: command, settings)
    var failure = CommandFailure(line: line, kind: kind, message: message)
    guard let command else {
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

  private func sectionOfUnreadScript(_ settings: WorkerSettings) -> SectionOutcome {
    let message = message(of: nil, settings)
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
