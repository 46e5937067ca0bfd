package import DSInterpreter
import DataSources
import DataTables

/// `lesson [LESSON|off]`, `lesson save FILE`
package struct LessonCommand: Command {
  private static let off = "off"
  private static let save = "save"
  private static let name = Parameter(
    .either([
      .known(LessonCourse.noun),
      .choice(Choices("word", [off, save])),
    ]), .optional)
  private static let file = Parameter(.path(.newFile), .optional)
  private static let answerLabel = Label(
    "answer", .boundName,
    "for `save`: the name that the exercise asks for; the last one if omitted",
    example: "letters")

  package static let names = ["lesson"]
  package static let parameters = [name, file]
  package static let labels = [answerLabel]
  package static let summary =
    "Opens a lesson of the course by its number, name or file, or goes on with the open one."
  package static let notes = [
    "A lesson shows texts and commands with their output, asks what the next command will do, and has",
    "exercises. The names of the session are set aside until `lesson off`, which also removes the",
    "files that commands have written in the meantime.",
    "`save` writes what the session bound to a name, last or with `answer:`, as an exercise: the last",
    "definition is its solution, earlier ones are misconceptions. It is verified before it is written.",
  ]
  package static let examples = [
    "lesson 2", "lesson index-paths", "lesson", "lesson off",
    "lesson save letters.md answer: letters",
  ]
  package static let seeAlso = ["lessons", "check", "answer", "hint", "tour"]

  package static func nameChanges(_ words: [String?]) -> NameChanges { .any }

  private let name: Argument?
  private let file: Argument?
  private let answer: Argument?
  private let verb: Span

  package init(parsing arguments: inout Arguments) throws {
    verb = arguments.stage.verb.span
    name = try arguments.take(Self.name)
    file = try arguments.take(Self.file)
    answer = try arguments[Self.answerLabel]
  }

  package func run(in session: inout Session) async throws -> CommandResult {
    if name?.word == Self.save { return try await save(in: &session) }
    if let extra = file ?? answer {
      throw extra.error(.badArgument, "`lesson` takes this only after `save`: lesson save FILE.md")
    }
    guard let name else {
      if let open = session.attachments[OpenLesson.self], !open.isAtEnd || isOpen(open, in: session)
      {
        return try goOn(open, in: &session)
      }
      return try openNext(in: &session)
    }
    if name.word == Self.off {
      let open = try OpenLesson.current(in: session, at: verb)
      open.close(in: &session)
      let text =
        "the lesson is closed" + (open.hasNamesBefore ? "; the earlier names are bound again" : "")
      return CommandResult(.none, Output(.text([text], data: .string(text))))
    }
    let word = try await name.string(in: &session)
    let (script, lesson) = try Self.find(word, at: name, in: session)
    return try open(script, lesson, in: &session)
  }

  private func save(in session: inout Session) async throws -> CommandResult {
    guard let file else {
      throw Diagnostic(.syntax, "`lesson save` expects a file: lesson save FILE.md", at: verb)
    }
    let word = try await file.string(in: &session)
    guard ScriptFence.isMarkdown(word) else {
      throw file.error(
        .badArgument, "a lesson is Markdown: give the file a name that ends in `.md`")
    }
    if session.attachments[OpenLesson.self] != nil {
      throw Diagnostic(.conflict, "a lesson is open; `lesson off` closes it", at: verb)
    }
    let path = FilePath.resolve(word, in: session.options.folder)
    do throws(TableError) {
      try SafeMode.checkWriting(word)
    } catch {
      throw file.error(.denied, error.message)
    }
    guard Folder.readNames(in: FilePath.folder(of: path)) != nil else {
      throw file.error(.io, "the folder of `\(word)` does not exist; create it first")
    }
    let name = try await answer?.string(in: &session)
    let history = session.execution.log.history(
      of: name, in: FilePath.folder(of: path), commands: session.commands)
    guard let history else {
      let message =
        name.map { "no command of the session bound `\($0)`" } ?? "the session bound no name yet"
      throw Diagnostic(.notFound, message + "; bind the answer: let NAME = …", at: verb)
    }
    var exercise = try await SavedExercise(history, to: path, in: &session)
    let text = try await exercise.verified(in: session)
    let isNew: Bool
    do throws(TableError) {
      isNew = try NewFile.write(text, to: path)
    } catch {
      let fact = Diagnostic(facts: error)
      throw file.error(fact.kind, fact.message)
    }
    guard isNew else { throw file.error(.conflict, "`\(word)` already exists; name a new file") }
    let counts = exercise.counts
    let lines =
      [
        "saved \(word): an exercise about `\(history.name)` with "
          + "\(counted(counts.solutions, "solution")) and "
          + "\(counted(counts.misconceptions, "misconception"))",
        "write its task, then verify it: dsshell test \(word)",
      ] + exercise.notes
    return CommandResult(
      .none, Output(.text(lines, data: .string(lines.joined(separator: "\n")))))
  }

  private func open(
    _ script: ReplayScript, _ lesson: Lesson, in session: inout Session
  ) throws -> CommandResult {
    if session.transaction != nil {
      throw Diagnostic(
        .conflict, "a transaction is open; `commit` or `rollback` ends it", at: verb)
    }
    if session.execution.observers[RecordCommand.verb] != nil {
      throw Diagnostic(
        .conflict, "a recording is in progress; `record off` ends it", at: verb)
    }
    if lesson.parts.isEmpty {
      throw Diagnostic(
        .badArgument, "`\(script.path)` has neither texts nor commands nor exercises", at: verb)
    }
    let progress = try LessonProgress(of: session)
    session.attachments[OpenLesson.self]?.close(in: &session)
    let open = OpenLesson(script, lesson, in: &session)
    open.resume(progress)
    return Self.result(open.goOn(in: &session))
  }

  private static func result(_ played: PlayedScript) -> CommandResult {
    var result = CommandResult()
    result.following = .played(played)
    return result
  }

  /// Whether the exercise that is shown is neither solved nor skipped.
  private func isOpen(_ open: OpenLesson, in session: Session) -> Bool {
    guard let exercise = open.exercise, let progress = try? LessonProgress(of: session) else {
      return false
    }
    return progress[exercise, open.script].state == .open
  }

  private func goOn(_ open: OpenLesson, in session: inout Session) throws -> CommandResult {
    if let exercise = open.exercise, isOpen(open, in: session) {
      return Self.result(open.showTask(of: exercise))
    }
    return Self.result(open.goOn(in: &session))
  }

  /// Opens the first lesson with an exercise that is neither solved nor skipped.
  private func openNext(in session: inout Session) throws -> CommandResult {
    let course = try LessonCourse(of: session)
    let progress = try LessonProgress(of: session)
    let next = course.lessons.first { entry in
      entry.lesson.exercises.contains { progress[$0, entry.script].state == .open }
    }
    guard let next else {
      let text =
        "no exercise of the course is left; `progress` lists them, `lesson NAME` opens a lesson again"
      return CommandResult(.none, Output(.text([text], data: .string(text))))
    }
    return try open(next.script, next.lesson, in: &session)
  }

  private static func find(
    _ word: String, at argument: Argument, in session: Session
  ) throws -> (ReplayScript, Lesson) {
    if ScriptFence.isMarkdown(word) {
      let path = FilePath.resolve(word, in: session.options.folder)
      do {
        return try LessonCourse.read(path, in: session)
      } catch {
        let diagnostic = Diagnostic(facts: error)
        throw diagnostic.place == nil
          ? argument.error(diagnostic.kind, diagnostic.message) : diagnostic
      }
    }
    let course = try LessonCourse(of: session)
    guard let entry = course.lesson(word) else {
      throw Diagnostic(
        .notFound, "no lesson is named `\(word)`; `lessons` lists them",
        suggestion: Suggestion.nearest(to: word, among: course.lessons.map(\.name)),
        at: argument.span)
    }
    return (entry.script, entry.lesson)
  }
}
