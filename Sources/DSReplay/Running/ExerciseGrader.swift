import DSInterpreter
import DataSources
import DataTables

/// Grades answers to an exercise by what they bind, never by their text.
///
/// An answer runs in sessions of its own, after the start of the exercise and after each of its hidden
/// commands; then the checks run there. Files that it writes go to a temporary folder, its time is
/// virtual, and it has no network.
struct ExerciseGrader {
  let script: ReplayScript
  let exercise: Lesson.Exercise
  private var environment: ReplayEnvironment
  private let states = KnownStates()

  /// The states that were computed, by the number of the setting and the commands of the
  /// answer: the examples of misconceptions are compared with many answers.
  private final class KnownStates {
    var byCommands: [String: BoundState?] = [:]
  }

  /// - Parameter environment: its engine and its selected line are not used.
  init(_ exercise: Lesson.Exercise, of script: ReplayScript, _ environment: ReplayEnvironment) {
    self.script = script
    self.exercise = exercise
    self.environment = environment
    self.environment.fillsExpectations = false
  }

  enum Grade: Sendable {
    case right
    /// An answer that fails a check; `misconception` is nil if none is recognized.
    case wrong(FailedCheck, misconception: RecognizedMisconception?)
    /// The lesson itself is wrong: a command of the start or of hidden commands fails.
    case unusable(CommandFailure)
  }

  struct FailedCheck: Sendable {
    let failure: CommandFailure
    /// The lines that the check printed: the values of an `expect` that is false.
    let lines: [String]
    /// The error of the last command of the answer that failed; nil if all succeeded.
    let answerError: String?
    /// The title of the hidden commands; nil for the start that the learner sees.
    let hidden: String?
  }

  struct RecognizedMisconception: Sendable {
    /// The index in ``Lesson/Exercise/wrong``.
    let index: Int
    /// The output of the commands below the last check of its `when`, such as `explain`.
    let lines: [String]
  }

  func grade(_ answer: [ReplayCommand]) async -> Grade {
    let mayFetchInBackground =
      script.mayFetchInBackground || answer.contains(where: \.mayFetchInBackground)
    guard mayFetchInBackground, DeterministicExecutor.current == nil else {
      return await result(of: answer)
    }
    // The caller does not use it before the grade is known.
    nonisolated(unsafe) let grader = self
    return await DeterministicExecutor.run { _ in await grader.result(of: answer) }
  }

  private func result(of answer: [ReplayCommand]) async -> Grade {
    for setting in settings {
      switch await check(answer, over: setting) {
      case .passed: continue
      case .startFailed(let failure): return .unusable(failure)
      case .failed(let failed):
        return .wrong(failed, misconception: await misconception(of: answer, over: setting))
      }
    }
    return .right
  }

  /// The failure of the first solution, if the exercise cannot be solved as its lesson says.
  func failureOfSolution() async -> CommandFailure? {
    guard let solution = exercise.solutions.first else { return nil }
    switch await grade(Array(script.commands[solution])) {
    case .right: return nil
    case .wrong(let failed, _): return failed.failure
    case .unusable(let failure): return failure
    }
  }

  /// A start and the checks that apply to it.
  private struct Setting {
    let number: Int
    let hidden: String?
    let start: Range<Int>
    let checks: [Range<Int>]
  }

  private var settings: [Setting] {
    let visible = Setting(number: 0, hidden: nil, start: exercise.start, checks: exercise.checks)
    return [visible]
      + exercise.hidden.enumerated().map { index, hidden in
        Setting(
          number: index + 1, hidden: hidden.title,
          start: hidden.start.isEmpty ? exercise.start : hidden.start,
          checks: exercise.checks + hidden.checks)
      }
  }

  /// Runs a start, an answer and then further commands of the script, in a new session.
  private struct Trial {
    private var run: ScriptRun
    private var next = 0

    init(_ script: ReplayScript, _ environment: ReplayEnvironment) {
      run = ScriptRun(script, environment, ReplayObserver())
    }

    var session: Session { run.interpreter.session }

    /// Runs the next command of the script, after the directives above it, and judges it.
    /// - Returns: the failure, and what the command printed.
    mutating func runNext() async -> (failure: CommandFailure?, captured: CapturedOutput) {
      let command = run.script.commands[next]
      let step = await run.runSteps(upTo: next)
      next += 1
      let captured = await run.execute(command)
      return (await run.failure(of: command, captured) ?? step, captured)
    }

    /// Runs the next commands; all must succeed.
    mutating func runNext(_ count: Int) async -> CommandFailure? {
      for _ in 0..<count {
        if let failure = await runNext().failure { return failure }
      }
      return nil
    }

    /// Runs the commands of an answer, also after one that fails, as at a prompt.
    /// - Returns: the error of the last command that failed; nil if all succeeded.
    @discardableResult
    mutating func run(_ answer: [ReplayCommand]) async -> String? {
      var error: String?
      for command in answer {
        let captured = await run.execute(command)
        error = captured.failures.last?.message ?? error
        if case .quit = captured.ending { break }
      }
      return error
    }
  }

  /// - Parameter ranges: the commands after the start.
  private func trial(_ setting: Setting, _ ranges: [Range<Int>]) -> Trial {
    var environment = environment
    environment.engine = nil
    environment.onlyLine = nil
    environment.network = nil
    return Trial(
      script.selecting(
        [setting.start] + ranges, title: exercise.title, line: exercise.line), environment)
  }

  // MARK: Checks

  private enum Result {
    case passed
    case startFailed(CommandFailure)
    case failed(FailedCheck)
  }

  private func check(_ answer: [ReplayCommand], over setting: Setting) async -> Result {
    await FileOverlay.withTemporaryFolder {
      var trial = trial(setting, setting.checks)
      if let failure = await trial.runNext(setting.start.count) { return .startFailed(failure) }
      let error = await trial.run(answer)
      for _ in setting.checks.joined() {
        let (failure, captured) = await trial.runNext()
        guard let failure else { continue }
        return .failed(
          FailedCheck(
            failure: failure, lines: captured.errors + captured.output, answerError: error,
            hidden: setting.hidden))
      }
      return .passed
    }
  }

  // MARK: Misconceptions

  private func misconception(
    of answer: [ReplayCommand], over setting: Setting
  ) async -> RecognizedMisconception? {
    var bound: BoundState?
    for (index, wrong) in exercise.wrong.enumerated() {
      if let condition = wrong.condition {
        if let lines = await output(of: condition, after: answer, over: setting) {
          return RecognizedMisconception(index: index, lines: lines)
        }
        continue
      }
      if bound == nil { bound = await state(after: answer, over: setting) }
      let example = await state(after: Array(script.commands[wrong.example]), over: setting)
      if let example, example == bound { return RecognizedMisconception(index: index, lines: []) }
    }
    return nil
  }

  /// The output of the commands below the last check; nil if one of the commands fails.
  private func output(
    of condition: Range<Int>, after answer: [ReplayCommand], over setting: Setting
  ) async -> [String]? {
    await FileOverlay.withTemporaryFolder {
      var trial = trial(setting, [condition])
      if await trial.runNext(setting.start.count) != nil { return nil }
      await trial.run(answer)
      let lastCheck = condition.last { script.commands[$0].isCheck } ?? -1
      var lines: [String] = []
      for index in condition {
        let (failure, captured) = await trial.runNext()
        if failure != nil { return nil }
        // Commands above a check prepare it.
        if index > lastCheck { lines += captured.output }
      }
      return lines
    }
  }

  /// Whether an answer binds the same as no answer, over the start that the learner sees.
  func bindsNothing(_ answer: [ReplayCommand]) async -> Bool {
    guard let visible = settings.first, let start = await state(after: [], over: visible) else {
      return false
    }
    return await state(after: answer, over: visible) == start
  }

  private func state(after answer: [ReplayCommand], over setting: Setting) async -> BoundState? {
    let key = ([String(setting.number)] + answer.map(\.text)).joined(separator: "\n")
    if let known = states.byCommands[key] { return known }
    let state: BoundState? = await FileOverlay.withTemporaryFolder {
      var trial = trial(setting, [])
      if await trial.runNext(setting.start.count) != nil { return nil }
      await trial.run(answer)
      return await BoundState(of: trial.session)
    }
    states.byCommands[key] = .some(state)
    return state
  }
}

/// The values and contents that the names of a session are bound to, for comparison.
struct BoundState: Equatable {
  private var values: [String: String] = [:]
  /// Objects of a source that are compared.
  private static let mostObjects = 10_000

  init(of session: Session) async {
    for binding in session.bindings {
      switch binding.value {
      case .value(let value): values[binding.name] = value.json
      case .source(let source): values[binding.name] = await Self.text(of: source)
      case .none, .database, .objects: break
      }
    }
  }

  /// The shown sections with their objects; other content than that of the last fetch is not shown.
  private static func text(of source: any DataSource) async -> String {
    guard let content = source.state.snapshot else { return "not fetched" }
    var text = ""
    var objects = 0
    guard let titles = try? await content.titles() else { return "not readable" }
    for (section, title) in titles.enumerated() {
      text += "\(title.json) \((try? content.numberOfObjects(in: section)) ?? 0)\n"
      if objects < mostObjects, let rows = try? await content.objects(in: section) {
        objects += rows.count
        for row in rows { text += row.json + "\n" }
      }
    }
    return text
  }
}
