import DSInterpreter
import DataSources
import DataTables

/// An exercise made from the commands of a session: the last definition of a name is its solution,
/// and the definitions before it are misconceptions or further solutions.
struct SavedExercise {
  let path: String
  private let history: NameHistory
  private let facts: Facts
  /// The definitions that are right, which includes the last one.
  private var solutions: [[String]]
  /// The other definitions, each with its message.
  private var misconceptions: [(commands: [String], message: String)] = []
  /// The start with other objects; nil if no source of the start can have others.
  private var hidden: [String]?
  /// The checks of the author that hold with the hidden start.
  private var checks: [String]
  /// The parts that were left out, with the reasons.
  private(set) var notes: [String] = []

  /// The result of the last definition.
  private enum Facts {
    case source(sections: Int, objects: Int, titles: [String])
    case value(String)
  }

  /// The numbers of solutions and of misconceptions.
  var counts: (solutions: Int, misconceptions: Int) { (solutions.count, misconceptions.count) }

  /// - Throws: ``Diagnostic`` if the name is not bound, or is a source without content.
  init(
    _ history: NameHistory, to path: String, in session: inout Session
  ) async throws {
    self.path = path
    self.history = history
    facts = try await Self.facts(history.name, in: &session)
    solutions = history.definitions.suffix(1)
    checks = history.checks
    hidden = await Self.hiddenStart(history, in: &session)
    if hidden == nil {
      notes.append("no other objects are checked; add `#% hidden \"TITLE\"` with other ones")
    }
  }

  private static func facts(_ name: String, in session: inout Session) async throws -> Facts {
    guard
      case .integer(let sections)? = try? await session.value(
        ofExpression: name + ".numberOfSections")
    else { return .value(try await session.value(ofExpression: name).json) }
    guard
      case .integer(let objects) = try await session.value(ofExpression: name + ".numberOfObjects"),
      case .array(let titles) = try await session.value(ofExpression: name + ".sectionTitles"),
      sections > 0
    else {
      throw Diagnostic(
        .notFetched, "`\(name)` has no content to check; fetch it first: fetch \(name)")
    }
    return .source(
      sections: sections, objects: objects,
      titles: titles.compactMap { title in
        if case .string(let text) = title, !text.isEmpty { text } else { nil }
      })
  }

  // MARK: The hidden start

  private static let mostHiddenObjects = 24
  private static let mostHiddenCharacters = 4000

  /// The start with some of the objects of each simple source, in another order.
  private static func hiddenStart(
    _ history: NameHistory, in session: inout Session
  ) async -> [String]? {
    var start: [String] = []
    var hasOthers = false
    for definition in history.start {
      guard definition.names.count == 1, let name = definition.names.first,
        // Its objects are no longer those of the start.
        !history.start.contains(where: { $0.names.isEmpty && $0.mentioned.contains(name) }),
        let objects = await otherObjects(of: name, in: &session)
      else {
        start.append(definition.text)
        continue
      }
      start.append("let \(name) = simple \(objects)" + labels(of: definition.text))
      hasOthers = true
    }
    return hasOthers ? start : nil
  }

  /// The labels of a definition that a simple source has, too.
  private static func labels(of definition: String) -> String {
    let words = definition.split(separator: " ")
    return zip(words, words.dropFirst()).filter { $0.0 == "id:" || $0.0 == "name:" }
      .map { " \($0.0) \($0.1)" }.joined()
  }

  /// Two of three objects of a simple source, the last one first; nil if there are too few of them or
  /// if they are too large.
  private static func otherObjects(
    of name: String, in session: inout Session
  ) async -> String? {
    guard
      case .string("simple")? = try? await session.value(ofExpression: name + ".kind"),
      case .integer(let count)? = try? await session.value(ofExpression: name + ".numberOfObjects"),
      count > 1
    else { return nil }
    var kept: [Value] = []
    for row in (0..<min(count, mostHiddenObjects * 3 / 2)).reversed() where row % 3 != 1 {
      guard let object = try? await session.value(ofExpression: "\(name)[0, \(row)]") else {
        return nil
      }
      kept.append(object)
    }
    while kept.count > 1 {
      let text = Value.array(kept).json
      if text.count <= mostHiddenCharacters { return text }
      kept.removeLast(kept.count / 2)
    }
    return nil
  }

  // MARK: Verification

  /// The lesson as text, which passes its verification: earlier definitions are solutions or
  /// misconceptions, and what it would fail with is left out.
  ///
  /// - Throws: ``Diagnostic`` if the last definition fails its own check.
  mutating func verified(in session: Session) async throws -> String {
    let environment = ReplayEnvironment(of: session)
    try await leaveOutChecks(environment)
    try await grade(history.definitions.dropLast(), environment)
    while true {
      let (script, lesson, exercise) = try read(environment)
      let outcome = await LessonVerification(script, environment, ReplayObserver()).run(lesson)
      try environment.cancellation.check()
      guard let failure = outcome.sections.flatMap(\.failures).first else { return text }
      try leaveOut(causeOf: failure, in: exercise, script)
    }
  }

  private func read(
    _ environment: ReplayEnvironment
  ) throws -> (ReplayScript, Lesson, Lesson.Exercise) {
    let script = ReplayScript(text, path: path, commands: environment.commands)
    if let mistake = script.mistakes.first { throw mistake }
    guard let lesson = script.lesson, let exercise = lesson.exercises.first else {
      throw Diagnostic(.badArgument, "the commands of `\(history.name)` make no exercise")
    }
    return (script, lesson, exercise)
  }

  /// Leaves out the checks of the author that fail over other objects.
  private mutating func leaveOutChecks(_ environment: ReplayEnvironment) async throws {
    while !checks.isEmpty {
      let (script, _, exercise) = try read(environment)
      let grader = ExerciseGrader(exercise, of: script, environment)
      guard let solution = exercise.solutions.first,
        case .wrong(let failed, _) = await grader.grade(Array(script.commands[solution])),
        // The checks of the author are the last ones.
        let last = exercise.checks.last, let first = last.suffix(checks.count).first,
        let index = (first..<last.upperBound).firstIndex(where: {
          script.commands[$0].lines.contains(failed.failure.line)
        })
      else { return }
      let check = checks.remove(at: index - first)
      notes.append("`\(check)` is left out: it does not hold for other objects")
    }
  }

  /// Distinguishes further solutions from misconceptions.
  private mutating func grade(
    _ definitions: some Sequence<[String]>, _ environment: ReplayEnvironment
  ) async throws {
    let (script, _, exercise) = try read(environment)
    let grader = ExerciseGrader(exercise, of: script, environment)
    for definition in definitions {
      let answer = ReplayScript(
        definition.joined(separator: "\n"), path: FilePath.folder(of: path) + "/answer.ds",
        commands: environment.commands)
      switch await grader.grade(answer.commands) {
      case .right: solutions.append(definition)
      case .wrong(let failed, _):
        misconceptions.append((definition, Self.message(failed, history.name)))
      case .unusable: return
      }
    }
  }

  /// The first value that differs: "Here, `letters.numberOfSections` is 3".
  private static func message(_ failed: ExerciseGrader.FailedCheck, _ name: String) -> String {
    let value = failed.lines.first { $0.hasPrefix("  \(name)") }
    guard let words = value?.split(separator: " ", maxSplits: 2), words.count == 3, words[1] == "is"
    else { return "This `\(name)` differs from the one of the task." }
    return "Here, `\(words[0])` is \(words[2].prefix(80)). Read the task again."
      .replacing("\"", with: "'")
  }

  private mutating func leaveOut(
    causeOf failure: CommandFailure, in exercise: Lesson.Exercise, _ script: ReplayScript
  ) throws {
    let wrong = exercise.wrong.firstIndex { wrong in
      let end = wrong.example.last.map { script.commands[$0].lastLine } ?? wrong.line
      return (wrong.line...end).contains(failure.line)
    }
    if let wrong {
      let misconception = misconceptions.remove(at: wrong)
      notes.append("`\(misconception.commands[0])` is left out: \(failure.message)")
    } else if hidden != nil {
      hidden = nil
      notes.append("no other objects are checked: \(failure.message)")
    } else if solutions.count > 1 {
      let solution = solutions.removeLast()
      notes.append("`\(solution[0])` is left out: \(failure.message)")
    } else {
      throw Diagnostic(
        .conflict, "the commands of `\(history.name)` do not repeat: \(failure.message)")
    }
  }

  // MARK: The text

  private var title: String {
    let stem = FilePath.stem(of: path)
    let words = stem.split { $0 == "-" || $0 == "_" }.joined(separator: " ")
    return (words.prefix(1).uppercased() + words.dropFirst()).replacing("\"", with: "'")
  }

  /// Markdown with the directives of a lesson.
  private var text: String {
    var exercise: [String] = []
    for solution in solutions { exercise += ["#% solution"] + solution }
    exercise += ["#% check"] + comparison + checks
    if let hidden { exercise += ["#% hidden \"other objects\""] + hidden }
    for misconception in misconceptions {
      exercise += ["#% wrong \"\(misconception.message)\""] + misconception.commands
    }
    exercise.append("#% hint \"\(hint)\"")
    let start =
      history.start.isEmpty ? [] : ["#% start"] + history.start.map(\.text)
    return Self.fenced(
      ["# \(title)"],
      ["#% lesson \"\(title)\"", "#% exercise \"\(title)\""] + start)
      + Self.fenced(["", task], exercise)
  }

  private static func fenced(_ text: [String], _ lines: [String]) -> String {
    (text + ["", "```ds"] + lines + ["```"]).map { $0 + "\n" }.joined()
  }

  private var task: String {
    let name = history.name
    switch facts {
    case .value(let value): return "Bind `\(name)`. Here, it is `\(value)`."
    case .source(let sections, let objects, let titles):
      let shown = titles.prefix(8).map { $0.replacing("`", with: "'") }.joined(separator: ", ")
      let list = titles.isEmpty ? "" : " (\(shown)\(titles.count > 8 ? ", …" : ""))"
      let isFetched = history.definitions.last?.contains { $0.contains("fetch") } ?? false
      return "Bind `\(name)`\(isFetched ? ", and fetch it" : ""). Here, it has "
        + "\(counted(sections, "section"))\(list) and \(counted(objects, "object"))."
    }
  }

  private var hint: String {
    history.verb.map { "`help \($0)` shows the arguments of the verb." }
      ?? "`help` lists the verbs."
  }

  /// The solution under another name, and checks that the answer equals it.
  private var comparison: [String] {
    let name = history.name
    let taken = Set(history.start.flatMap { Array($0.names) } + [name])
    var expected = "expected"
    while taken.contains(expected) { expected += "0" }
    var solution = (history.definitions.last ?? []).map {
      MentionedNames.replacing(name, by: expected, in: $0)
    }
    // `load` names its source by the file.
    if let first = solution.first, !first.hasPrefix("let ") {
      solution[0] = "let \(expected) = \(first)"
    }
    if case .value = facts { return solution + ["expect \(name) == \(expected)"] }
    return solution
      + ["numberOfSections", "sectionTitles", "sections", "allObjects"].map {
        "expect \(name).\($0) == \(expected).\($0)"
      }
  }
}
