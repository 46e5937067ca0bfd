import DSInterpreter
import DSRendering
import DataSources
import DataTables
import Pictures

/// A command of a lesson and what it printed.
struct TranscriptStep: Sendable {
  /// The lines of the command.
  let text: String
  var pieces: [CapturedOutput.Piece] = []
  /// The answers to the questions about the command, as `print` shows them.
  var answers: [String] = []
  /// nil if it was run.
  var reasonNotRun: String?
}

/// Runs commands of a lesson in new sessions, for readers.
///
/// Files that they write go to a temporary folder, their time is virtual, and they have no network, so
/// the same commands always print the same.
struct TranscriptRun {
  private let script: ReplayScript
  private var environment: ReplayEnvironment
  /// The commands that did not print what the lesson expects.
  private(set) var failures: [CommandFailure] = []

  /// - Parameter environment: its engine, its selected line and its network are not used.
  init(_ script: ReplayScript, _ environment: ReplayEnvironment) {
    self.script = script
    self.environment = environment
    self.environment.engine = nil
    self.environment.onlyLine = nil
    self.environment.network = nil
    self.environment.allowsNetwork = false
    self.environment.facilities = []
  }

  /// Runs commands one after the other in one session.
  ///
  /// - Parameters:
  ///   - ranges: indices of commands of the script.
  ///   - questions: the questions about them.
  /// - Returns: the steps of each range.
  mutating func steps(
    of ranges: [Range<Int>], line: Int, questions: [Lesson.Prediction] = []
  ) async -> [[TranscriptStep]] {
    let run = self
    let (steps, failures) =
      script.mayFetchInBackground
      ? await DeterministicExecutor.run { _ in await run.run(ranges, line, questions) }
      : await run.run(ranges, line, questions)
    self.failures += failures
    return steps
  }

  private func run(
    _ ranges: [Range<Int>], _ line: Int, _ questions: [Lesson.Prediction]
  ) async -> ([[TranscriptStep]], [CommandFailure]) {
    await FileOverlay.withTemporaryFolder {
      var run = ScriptRun(
        script.selecting(ranges, title: nil, line: line), environment, ReplayObserver())
      run.interpreter.session.options.addsPictures = true
      run.interpreter.session.transports.refusesNetwork = true
      var steps: [[TranscriptStep]] = []
      var failures: [CommandFailure] = []
      var position = 0
      for range in ranges {
        var rangeSteps: [TranscriptStep] = []
        for index in range {
          let answers = questions.filter { $0.command == index }.map(\.answer)
          let (step, failure) = await self.step(position, answers, &run)
          rangeSteps.append(step)
          if let failure { failures.append(failure) }
          position += 1
        }
        steps.append(rangeSteps)
      }
      return (steps, failures)
    }
  }

  /// - Parameter position: the index of the command in the script of the run.
  private func step(
    _ position: Int, _ answers: [String], _ run: inout ScriptRun
  ) async -> (TranscriptStep, CommandFailure?) {
    let command = run.script.commands[position]
    var step = TranscriptStep(text: command.text)
    if let reason = command.setting.reasonToSkip(environment) {
      step.reasonNotRun = reason
      return (step, nil)
    }
    var failure = await run.runSteps(upTo: position)
    let captured = await run.execute(command)
    step.pieces = captured.pieces.map(shown)
    if command.setting.expectedFailure == nil {
      failure = await run.failure(of: command, captured) ?? failure
    }
    for answer in answers {
      do {
        let value = try await run.interpreter.session.value(ofExpression: answer)
        step.answers.append(value.text())
      } catch {
        step.answers.append("no value: \(Diagnostic(facts: error).message)")
      }
    }
    return (step, failure)
  }

  // MARK: Paths

  /// Lines in which files are named from the folder of the lesson, as its commands name them.
  ///
  /// Messages name them with that folder, which readers do not have.
  func shown(_ lines: [String]) -> [String] { lines.map(shown) }

  private func shown(_ text: String) -> String {
    let folder = FilePath.folder(of: script.path)
    return folder.count > 1 ? text.replacing(folder + "/", with: "") : text
  }

  private func shown(_ piece: CapturedOutput.Piece) -> CapturedOutput.Piece {
    switch piece {
    case .output(let lines, let picture):
      .output(shown(lines), picture?.mapTexts(shown))
    case .errors(let lines): .errors(shown(lines))
    }
  }
}
