import DSInterpreter
import DSRendering
import DataSources
import DataTables

/// The lesson that a learner works on, at the prompt.
///
/// The session has it among its attachments. While it is open, the session has the names of the part
/// that is shown, and paths start in the folder of the lesson.
final class OpenLesson {
  let script: ReplayScript
  let lesson: Lesson
  /// The index of the part that is shown, or that was shown last; -1 before the first.
  private(set) var part = -1
  /// The question that the learner is to answer.
  private(set) var question: Lesson.Prediction?
  /// The steps of the part that have not been shown, from the command of the question on.
  private var rest: ArraySlice<Item> = []
  /// The commands of the learner since the exercise began.
  private(set) var answer: [String] = []
  private let namesBefore: NamesSetAside
  private let folderBefore: String
  /// The files that the commands of the part have written.
  private var files: FileOverlay?

  /// A step of a demonstration.
  fileprivate enum Item {
    case text([String])
    /// An index in ``ReplayScript/commands``.
    case command(Int)
    /// The learner goes on after reading the texts above.
    case pause
  }

  private static let observerName = "lesson"

  /// Opens a lesson, and sets aside the names of the session.
  init(_ script: ReplayScript, _ lesson: Lesson, in session: inout Session) {
    self.script = script
    self.lesson = lesson
    namesBefore = session.setAsideNames()
    folderBefore = session.options.folder
    session.options.folder = FilePath.folder(of: script.path)
    session.attachments[OpenLesson.self] = self
    session.execution.observers[Self.observerName] = CommandObserver(
      name: Self.observerName, folder: session.options.folder, receive: { _, _ in },
      endCommand: { [weak self] text, line, session in self?.typed(text, line, session) })
  }

  /// - Throws: ``Diagnostic`` at the verb if no lesson is open.
  static func current(in session: Session, at verb: Span) throws -> OpenLesson {
    guard let open = session.attachments[OpenLesson.self] else {
      throw Diagnostic(
        .notFound, "no lesson is open; `lessons` lists them, `lesson 1` opens one", at: verb)
    }
    return open
  }

  /// Closes the lesson; the session has its earlier names again.
  func close(in session: inout Session) {
    session.execution.observers[Self.observerName] = nil
    session.attachments[OpenLesson.self] = nil
    session.options.folder = folderBefore
    session.restore(namesBefore)
    session.files = nil
    removeFiles()
  }

  deinit { removeFiles() }

  private func removeFiles() {
    if let folder = files?.folder { FreshFolder.remove(folder) }
    files = nil
  }

  var hasNamesBefore: Bool { !namesBefore.isEmpty }

  /// The exercise that is shown; nil while a demonstration is.
  var exercise: Lesson.Exercise? {
    guard lesson.parts.indices.contains(part), case .exercise(let exercise) = lesson.parts[part]
    else { return nil }
    return exercise
  }

  /// - Throws: ``Diagnostic`` at the verb if no exercise is shown.
  func requireExercise(at verb: Span) throws -> Lesson.Exercise {
    guard let exercise else {
      throw Diagnostic(
        .notFound,
        question == nil
          ? "no exercise is shown; `lesson` goes on to the next one"
          : "a question is waiting: `answer VALUE`, or `lesson` to go on without", at: verb)
    }
    return exercise
  }

  /// Keeps a command of the learner; commands about the session and about lessons are not part of an
  /// answer.
  private func typed(_ text: String, _ line: Line?, _ session: Session) {
    guard exercise != nil, let line else { return }
    if !line.isAboutSession(session.commands) { answer.append(text) }
  }

  /// The commands of the learner, parsed as lines of the lesson.
  func answerCommands(in session: Session) -> [ReplayCommand] {
    ReplayScript(
      answer.joined(separator: "\n"), path: FilePath.folder(of: script.path) + "/answer.ds",
      commands: session.commands
    ).commands
  }

  // MARK: Going on

  /// Whether every part has been shown and no question is waiting.
  var isAtEnd: Bool { part + 1 >= lesson.parts.count && rest.isEmpty }

  /// Moves to the text above the first exercise that is neither solved nor skipped.
  func resume(_ progress: LessonProgress) {
    let open = lesson.parts.firstIndex { part in
      guard case .exercise(let exercise) = part else { return false }
      return progress[exercise, script].state == .open
    }
    guard let open, let done = lesson.parts[..<open].lastIndex(where: { $0.title != nil }) else {
      return
    }
    part = done
  }

  /// Shows the next texts and commands, up to a heading, a question or an exercise.
  func goOn(in session: inout Session) -> PlayedScript {
    if !rest.isEmpty {
      var shown = ShownSteps()
      let asks = question == nil
      question = nil
      addRest(to: &shown, asks: asks)
      return played(shown)
    }
    part = min(part + 1, lesson.parts.count)
    return show(in: &session)
  }

  /// Shows the current part from its beginning.
  func show(in session: inout Session) -> PlayedScript {
    question = nil
    rest = []
    answer = []
    _ = session.setAsideNames()
    removeFiles()
    files = .inFreshFolder()
    session.files = files
    guard lesson.parts.indices.contains(part) else { return played(ShownSteps()) }
    var shown = ShownSteps()
    switch lesson.parts[part] {
    case .demonstration(let demonstration):
      let items = demonstration.blocks.flatMap { block -> [Item] in
        switch block {
        case .text(let lines): Self.items(of: lines)
        case .commands(let range): range.map { .command($0) }
        }
      }
      rest = items.first.map { if case .pause = $0 { items[1...] } else { items[...] } } ?? []
      addRest(to: &shown, asks: true)
    case .exercise(let exercise):
      shown.add(text: ["Exercise: \(exercise.title)"])
      let isShownAbove =
        exercise.start.last.map { script.commands[$0].lines.lowerBound < exercise.line } ?? false
      if isShownAbove {
        shown.add(.hidden(exercise.start.flatMap(lines(of:))))
        shown.add(.computed { Self.boundNames(in: $0) })
      } else {
        for command in exercise.start { shown.add(step(command)) }
      }
      shown.add(text: task(of: exercise))
    }
    return played(shown)
  }

  /// Shows the task of an exercise once more; what is bound stays bound.
  func showTask(of exercise: Lesson.Exercise) -> PlayedScript {
    var shown = ShownSteps()
    shown.add(text: ["Exercise: \(exercise.title)", ""] + task(of: exercise))
    return played(shown)
  }

  private func task(of exercise: Lesson.Exercise) -> [String] {
    exercise.task.filter { ScriptFence.headingText($0) == nil }.withoutBlankEnds
      + ["", "`check` grades what you have bound; `hint`, `skip` and `reset` help."]
  }

  private static func boundNames(in session: Session) -> [String] {
    let names = session.bindings.map { "`\($0.name)`" }
    return names.isEmpty ? [] : ["", "Bound as above: " + names.joined(separator: ", ") + "."]
  }

  private func played(_ shown: ShownSteps) -> PlayedScript {
    PlayedScript(folder: FilePath.folder(of: script.path), shown.steps)
  }

  /// The text with a pause before each heading.
  private static func items(of lines: [String]) -> [Item] {
    var items: [Item] = []
    var text: [String] = []
    for line in lines {
      if ScriptFence.headingText(line) != nil {
        items += [.text(text.withoutBlankEnds), .pause]
        text = []
      }
      text.append(line)
    }
    items.append(.text(text.withoutBlankEnds))
    return items.filter { if case .text(let lines) = $0 { !lines.isEmpty } else { true } }
  }

  /// - Parameter asks: whether the first command may have a question.
  private func addRest(to shown: inout ShownSteps, asks: Bool) {
    var asks = asks
    while let item = rest.first {
      switch item {
      case .text(let lines): shown.add(text: lines)
      case .pause:
        rest.removeFirst()
        return shown.add(text: [Self.goesOn])
      case .command(let command):
        if asks, let prediction = prediction(before: command) {
          question = prediction
          return shown.add(text: [
            "Question: " + prediction.question,
            "`answer VALUE` answers it; `lesson` goes on without an answer.",
          ])
        }
        shown.add(step(command))
        asks = true
      }
      rest.removeFirst()
    }
    shown.add(text: [ending])
  }

  private static let goesOn = "`lesson` goes on."

  /// The line below a part that is done.
  var ending: String {
    part + 1 < lesson.parts.count
      ? Self.goesOn : "This was the end of the lesson; `lesson` opens the next one."
  }

  private func prediction(before command: Int) -> Lesson.Prediction? {
    guard case .demonstration(let demonstration) = lesson.parts[part] else { return nil }
    return demonstration.predictions.first { $0.command == command }
  }

  private func step(_ command: Int) -> PlayedScript.Step {
    .command(script.commands[command].text, lines(of: command))
  }

  private func lines(of command: Int) -> [Line] {
    script.commands[command].parts.compactMap { part in
      if case .line(let line) = part { line } else { nil }
    }
  }

  // MARK: Questions

  /// Runs the command of the question, compares the value, and goes on.
  func goOn(answering value: Value, in session: inout Session) -> PlayedScript? {
    guard let question else { return nil }
    self.question = nil
    var shown = ShownSteps()
    if case .command(let command)? = rest.popFirst() { shown.add(step(command)) }
    shown.add(.computed { ["", await Self.verdict(on: value, question, in: &$0)] })
    addRest(to: &shown, asks: true)
    return played(shown)
  }

  /// Whether two values are equal; strings also with other cases.
  private static func isSame(_ value: Value, _ right: Value) -> Bool {
    guard case .string(let text) = value, case .string(let other) = right else {
      return value == right
    }
    return text.lowercased() == other.lowercased()
  }

  private static func verdict(
    on value: Value, _ prediction: Lesson.Prediction, in session: inout Session
  ) async -> String {
    do {
      let right = try await session.value(ofExpression: prediction.answer)
      return isSame(value, right)
        ? "Right." : "You predicted \(value.text()); it is \(right.text())."
    } catch {
      return "The lesson is wrong at line \(prediction.line): \(Diagnostic(facts: error).message)"
    }
  }
}

/// Steps with a blank line between a text and what is beside it.
private struct ShownSteps {
  private(set) var steps: [PlayedScript.Step] = []
  private var endsWithText = false

  mutating func add(text lines: [String]) {
    steps.append(.text((steps.isEmpty ? [] : [""]) + lines))
    endsWithText = true
  }

  /// Adds a step that is not a text to read.
  mutating func add(_ step: PlayedScript.Step) {
    if endsWithText, case .command = step { steps.append(.text([""])) }
    steps.append(step)
    endsWithText = false
  }
}
