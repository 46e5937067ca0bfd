import DSInterpreter
import DSRendering
import DataSources
import DataTables
import Foundation
import Testing

@testable import DSReplay

/// Types lines as a learner does, over a course of two lessons.
@Suite actor LessonCommandTests {
  private let folder =
    FileManager.default.temporaryDirectory.path + "/lessons-\(UUID().uuidString)"
  private var progressFile: String { folder + "/state/lessons.json" }

  private static let counts = """
    # Counts

    A source has a number of rows.

    ```ds
    #% lesson "Counts"
    let foods = simple [{name: Pie}, {name: Tea}]
    #| foods: 1 section, 2 objects
    ```

    Ask for it:

    ```ds
    #% predict "How many?" count foods
    count foods
    #| 2
    ```

    ## Your turn

    ```ds
    #% exercise "Half of them"
    ```

    Bind `half`, half the number of foods.

    ```ds
    #% solution
    let half = foods.numberOfObjects / 2
    #% check
    expect half == foods.numberOfObjects / 2
    #% hidden "four foods"
    let foods = simple [{name: Pie}, {name: Tea}, {name: Rice}, {name: Soup}]
    #% wrong "That is the whole number."
    let half = foods.numberOfObjects
    #% wrong "One is half of two only."
    let half = 1
    #% hint "Divide."
    #% hint "Divide the count by two."
    ```

    A half is a quotient.

    """

  private static let second = """
    # Second

    ```ds
    #% lesson "Second"
    #% exercise "One name"
    #% start
    let x = 1
    ```

    Bind `y`.

    ```ds
    #% solution
    let y = 2
    #% check
    expect y == 2
    ```

    """

  init() throws {
    for name in ["course", "data"] {
      try FileManager.default.createDirectory(
        atPath: folder + "/" + name, withIntermediateDirectories: true)
    }
    try write(Self.counts, to: "course/01-counts.md")
    try write(Self.second, to: "course/02-second.md")
    try write("Not a lesson.\n", to: "course/README.md")
    try write("name\nPie\nTea\nApple\n", to: "data/foods.csv")
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private nonisolated func write(_ text: String, to name: String) throws {
    try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
  }

  /// Types lines in a new session, and returns the output of each.
  @discardableResult
  private func type(_ lines: String...) async throws -> [[String]] { try await type(lines) }

  private func type(_ lines: [String]) async throws -> [[String]] {
    var session = Session()
    session.commands = .replay
    session.options.isInteractive = true
    session.options.styles = Styles.described
    session.options.folder = folder
    session.options.lessonsFolder = folder + "/course"
    session.options.lessonProgressFile = progressFile
    var interpreter = Interpreter(session: session)
    var outputs: [[String]] = []
    for line in lines {
      var capture = OutputCapture(traces: TraceLog(), limit: 1 << 20, wrote: { _ in })
      try await interpreter.run(line) { try await capture.take($0, $1) }
      let captured = capture.finish(.done)
      outputs.append(
        (captured.output + captured.errors).map {
          $0.replacingOccurrences(of: folder + "/", with: "")
        })
    }
    return outputs
  }

  /// The rows of a printed table, with single spaces.
  private func rows(_ table: [String]) -> [String] {
    table.dropFirst().map { $0.split(separator: " ").joined(separator: " ") }
  }

  @Test func lessonShowsTextsAndCommandsUpToAQuestion() async throws {
    let output = try await type("lesson 1")
    #expect(
      output[0] == [
        "# Counts", "", "A source has a number of rows.", "",
        "ds> let foods = simple [{name: Pie}, {name: Tea}]", "foods: 1 section, 2 objects",
        "", "Ask for it:", "",
        "Question: How many?", "`answer VALUE` answers it; `lesson` goes on without an answer.",
      ])
  }

  @Test(arguments: [
    ("2", "Right."), ("3", "You predicted 3; it is 2."), ("(count foods)", "Right."),
  ])
  func answerIsComparedAfterTheCommand(answer: String, verdict: String) async throws {
    let output = try await type("lesson 1", "answer \(answer)")
    #expect(output[1] == ["ds> count foods", "2", "", verdict, "", "`lesson` goes on."])
  }

  @Test func lessonGoesOnWithoutAnAnswer() async throws {
    let output = try await type("lesson counts", "lesson", "answer 2")
    #expect(output[1] == ["ds> count foods", "2", "", "`lesson` goes on."])
    #expect(output[2] == ["error: no question is waiting; `lesson` goes on"])
  }

  @Test func exerciseHasTheNamesOfTheTextAboveIt() async throws {
    let output = try await type("lesson 1", "lesson", "lesson", "count foods", "lesson")
    let task = [
      "Bind `half`, half the number of foods.", "",
      "`check` grades what you have bound; `hint`, `skip` and `reset` help.",
    ]
    #expect(
      output[2] == ["Exercise: Half of them", "", "Bound as above: `foods`.", ""] + task)
    #expect(output[3] == ["2"])
    // The exercise is not done, so its task is shown once more.
    #expect(output[4] == ["Exercise: Half of them", ""] + task)
  }

  @Test func answersAreGradedByWhatTheyBind() async throws {
    let output = try await type(
      "lesson 1", "lesson", "lesson", "check", "let half = count foods", "check", "let half = 1",
      "check", "let n = count foods", "let half = n / 2", "check", "lesson", "lesson off")
    #expect(output[3].first == "Not yet." && output[3].last == "`hint` helps.")
    #expect(output[5].first == "That is the whole number.")
    #expect(
      output[7].starts(with: [
        "Your answer is right for the objects that you see, but not for others: four foods.",
        "One is half of two only.",
      ]))
    #expect(output[7].last == "`hint` helps, and `solution` shows the answer.")
    #expect(
      output[10] == [
        "Right.", "", "A half is a quotient.", "",
        "This was the end of the lesson; `lesson` opens the next one.",
      ])
    #expect(output[11].first == "Exercise: One name")
  }

  @Test func hintsAreShownOneByOne() async throws {
    let output = try await type("lesson 1", "lesson", "lesson", "hint", "hint", "hint")
    #expect(
      Array(output[3...].joined()) == [
        "Hint 1 of 2: Divide.", "Hint 2 of 2: Divide the count by two.",
        "Hint 2 of 2: Divide the count by two. (This is the last one; `solution` shows the answer.)",
      ])
  }

  @Test func solutionIsShownAfterTwoWrongAnswers() async throws {
    let output = try await type(
      "lesson 1", "lesson", "lesson", "solution", "check", "solution", "check", "solution")
    #expect(
      output[3] == [
        "error: `solution` shows the answer after 2 more wrong answers; `check` grades yours, "
          + "`hint` helps, `skip` goes on"
      ])
    #expect(output[5].first?.contains("after 1 more wrong answer;") == true)
    #expect(output[7] == ["  let half = foods.numberOfObjects / 2"])
  }

  @Test func progressIsKeptForLaterSessions() async throws {
    try await type(
      "lesson 1", "lesson", "lesson", "hint", "check", "let half = foods.numberOfObjects / 2",
      "check")
    var output = try await type("progress", "lessons", "lesson")
    #expect(rows(output[0]) == ["1 Half of them solved 1 1", "2 One name open 0 0"])
    #expect(rows(output[1]) == ["1 counts Counts 1 1", "2 second Second 0 1"])
    // The next exercise that is open is in the second lesson.
    #expect(output[2].first == "Exercise: One name")

    output = try await type("progress reset", "progress")
    #expect(output[0] == ["the progress is forgotten"])
    #expect(rows(output[1]) == ["1 Half of them open 0 0", "2 One name open 0 0"])
  }

  @Test func progressEndsWithAChangeOfTheText() async throws {
    try await type("lesson 2", "lesson", "let y = 2", "check")
    #expect(rows(try await type("progress")[0])[1] == "2 One name solved 0 0")
    try write(
      Self.second.replacingOccurrences(of: "Bind `y`.", with: "Bind `y` to 2."),
      to: "course/02-second.md")
    #expect(rows(try await type("progress")[0])[1] == "2 One name changed since 0 0")
  }

  @Test(arguments: ["[1, 2]", "{", "", "\u{0}\u{1}", "null"])
  func progressThatCannotBeReadIsNotReplaced(content: String) async throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/state", withIntermediateDirectories: true)
    try write(content, to: "state/lessons.json")
    let output = try await type("lesson 2")
    #expect(
      output[0] == [
        "error: `state/lessons.json` is not the progress of lessons; remove it to begin anew"
      ])
    #expect(try String(contentsOfFile: progressFile, encoding: .utf8) == content)
  }

  @Test func entriesOfOtherFormsAreIgnored() async throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/state", withIntermediateDirectories: true)
    try write(
      #"{"02-second.md/One name": {"digest": 3}, "x": 1, "y": {"state": "open", "tries": -1}}"#,
      to: "state/lessons.json")
    #expect(rows(try await type("progress")[0])[1] == "2 One name open 0 0")
  }

  @Test func namesOfTheSessionAreSetAside() async throws {
    let output = try await type(
      "let foods = 7", "lesson 1", "count foods", "lesson off", "print foods")
    #expect(output[2] == ["2"])
    #expect(output[3] == ["the lesson is closed; the earlier names are bound again"])
    #expect(output[4] == ["7"])
  }

  @Test func skippedExerciseIsNotOpenedAgain() async throws {
    let output = try await type("lesson 1", "lesson", "lesson", "skip", "lesson", "progress")
    #expect(output[4].first == "Exercise: One name")
    #expect(rows(output[5])[0] == "1 Half of them skipped 0 0")
  }

  @Test func resetForgetsTheAnswer() async throws {
    let output = try await type(
      "lesson 1", "lesson", "lesson", "let half = foods.numberOfObjects / 2", "reset", "check",
      "print half")
    #expect(output[4].first == "Exercise: Half of them")
    #expect(output[5].first == "Not yet.")
    #expect(output[6][0].hasPrefix("error: nothing is named `half`"))
  }

  @Test(arguments: [
    ("lesson 9", "no lesson is named `9`; `lessons` lists them"),
    ("lesson cuonts", "no lesson is named `cuonts`; `lessons` lists them; did you mean `counts`?"),
    (
      "lesson course/README.md",
      "`course/README.md` has no `#% lesson \"TITLE\"`, so it is not a lesson"
    ),
    ("lesson none.md", "cannot open `none.md`: No such file or directory"),
    ("lesson off", "no lesson is open; `lessons` lists them, `lesson 1` opens one"),
    ("check", "no lesson is open; `lessons` lists them, `lesson 1` opens one"),
    ("answer 1", "no lesson is open; `lessons` lists them, `lesson 1` opens one"),
    ("lesson 1 x", "`lesson` takes this only after `save`: lesson save FILE.md"),
    ("lesson save", "`lesson save` expects a file: lesson save FILE.md"),
    ("lesson save x.md", "the session bound no name yet; bind the answer: let NAME = …"),
    ("lesson save x.ds", "a lesson is Markdown: give the file a name that ends in `.md`"),
  ])
  func mistakesSayWhatToDo(line: String, message: String) async throws {
    #expect(try await type(line)[0].first == "error: " + message)
  }

  @Test func lessonIsRefusedDuringATransactionOrARecording() async throws {
    let output = try await type(
      "let a = simple [1, 2]", "begin a", "lesson 1", "rollback", "record r.ds", "lesson 1")
    #expect(
      output[2] == [
        "error: a transaction is open; `commit` or `rollback` ends it"
      ])
    #expect(
      output[5] == ["error: a recording is in progress; `record off` ends it"])
  }

  @Test func longTextsPauseAtHeadings() async throws {
    try write(
      """
      # Long

      First.

      ```ds
      #% lesson "Long"
      let a = 1
      ```

      ## Second

      Text.

      ```ds
      #% predict "Which word?" "red"
      let b = 2
      ```

      ## Third

      ```ds
      print a + b
      ```

      """, to: "course/03-long.md")
    let output = try await type("lesson long", "lesson", "answer red", "lesson")
    let goesOn = ["", "`lesson` goes on."]
    #expect(output[0] == ["# Long", "", "First.", "", "ds> let a = 1", "1"] + goesOn)
    #expect(output[1].starts(with: ["## Second", "", "Text.", "", "Question: Which word?"]))
    #expect(output[2] == ["ds> let b = 2", "2", "", "Right."] + goesOn)
    #expect(
      output[3] == [
        "## Third", "", "ds> print a + b", "3", "",
        "This was the end of the lesson; `lesson` opens the next one.",
      ])
  }

  @Test func filesOfALessonAreRemovedAtItsEnd() async throws {
    let lines = [
      "lesson 2", "let a = simple [{n: 1}, {n: 2}]", "save a a.csv", "load a.csv",
    ]
    let output = try await type(lines + ["reset", "load a.csv", "lesson off"])
    #expect(output[3].first?.hasPrefix("a: 2 objects") == true)
    #expect(output[5].first == "error: cannot open `course/a.csv`: No such file or directory")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/course")
    #expect(names.sorted() == ["01-counts.md", "02-second.md", "README.md"])
  }

  @Test func fetchesOfALessonRunInTheBackground() async throws {
    let output = try await type(
      "lesson 2", "let a = simple [{n: 1}]", "let s = slow a by: 10min", "fetch s async: true",
      "print s.isFetching", "cancel s", "lesson off")
    #expect(output[4] == ["true"])
  }

  @Test func progressIsKeptInMemoryIfItCannotBeWritten() async throws {
    try write("", to: "state")
    let output = try await type("lesson 2", "check", "let y = 2", "check", "progress")
    #expect(output[1].count { $0.contains("the progress is kept in memory only") } == 1)
    #expect(output[3].first == "Right.")
    #expect(output[3].allSatisfy { !$0.contains("in memory only") })
    #expect(rows(output[4])[1] == "2 One name solved 1 0")
  }

  @Test func progressIsForgottenByAllSessions() async throws {
    try await type("lesson 2", "let y = 2", "check", "progress reset")
    let output = try await type("progress", "lesson 1", "progress")
    #expect(rows(output[0])[1] == "2 One name open 0 0")
    #expect(rows(output[2])[1] == "2 One name open 0 0")
  }

  @Test func entriesOfOtherFormsAreKept() async throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/state", withIntermediateDirectories: true)
    let other = #""x":{"state":"open","tries":9223372036854775807}"#
    try write("{\(other)}", to: "state/lessons.json")
    try await type("lesson 2", "hint", "check")
    let text = try String(contentsOfFile: progressFile, encoding: .utf8)
    #expect(text.contains(other) && text.contains("02-second.md/One name"))
  }

  @Test func watchesComeBackAfterALesson() async throws {
    try await type("let s = simple [{n: 1}]", "watch s", "lesson 2", "lesson off", "unwatch s")
      .last.map { #expect($0 == [] || $0.first?.hasPrefix("error") == false) }
  }

  @Test func aLessonThatCannotBeSolvedSaysSo() async throws {
    try write(
      Self.second.replacingOccurrences(of: "y == 2", with: "y == 3"), to: "course/02-second.md")
    let output = try await type("lesson 2", "let y = 2", "check")
    #expect(
      output[2].first?.hasPrefix("error: the lesson \"Second\" is wrong at line ") == true)
  }

  @Test func aDirectiveOutsideOfFencesIsAMistake() async throws {
    let text = Self.second + "```swift\n#% exercise \"Other\"\n```\n"
    try write(text, to: "course/02-second.md")
    #expect(
      try await type("lesson 2")[0].first
        == "error: this directive is not in a `ds` fence; begin the fence with ```ds")
  }

  @Test func aFenceThatIsNotClosedIsRead() async throws {
    try write("```ds\n#% lesson \"T\"\nlet x = 1\n", to: "course/03-open.md")
    #expect(try await type("lesson 3")[0].contains("ds> let x = 1"))
  }

  @Test func theNamesOfTheTourDoNotReplaceOthers() async throws {
    let output = try await type("let foods = 7", "tour", "print foods")
    #expect(
      output[2] == ["7"] || output[1].first?.hasPrefix("error: the script of the tour") == true)
  }

  // MARK: lesson save

  @Test func savedExercisePassesItsTest() async throws {
    let output = try await type(
      "let foods = load data/foods.csv",
      "let list = sectioned foods key: name.firstCharacter sort: name desc | fetch",
      "let list = sectioned foods key: name.firstCharacter sort: name | fetch", "show list",
      "lesson save mine.md",
      "lesson mine.md",
      "let list = sectioned foods key: name.firstCharacter sort: name desc | fetch", "check",
      "let list = sectioned foods sort: name key: name.firstCharacter; fetch list", "check",
      "lesson save other.md")
    #expect(
      output[4] == [
        "saved mine.md: an exercise about `list` with 1 solution and 1 misconception",
        "write its task, then verify it: dsshell test mine.md",
      ])
    let text = try String(contentsOfFile: folder + "/mine.md", encoding: .utf8)
    #expect(
      text.contains(
        "#% solution\nlet list = sectioned foods key: name.firstCharacter sort: name | fetch\n"))
    #expect(text.contains("#% start\nlet foods = load data/foods.csv\n"))
    #expect(
      text.contains(
        "#% hidden \"other objects\"\nlet foods = simple [{\"name\":\"Apple\"},{\"name\":\"Pie\"}]\n"
      ))
    #expect(output[7].first?.hasPrefix("Here, `list.") == true)
    #expect(output[9].first == "Right.")
    #expect(output[10] == ["error: a lesson is open; `lesson off` closes it"])
  }

  @Test func aSourceThatIsNamedByItsFileIsCompared() async throws {
    let output = try await type("load data/foods.csv", "lesson save l.md")
    #expect(
      output[1].first
        == "saved l.md: an exercise about `foods` with 1 solution and 0 misconceptions")
    let text = try String(contentsOfFile: folder + "/l.md", encoding: .utf8)
    #expect(text.contains("#% check\nlet expected = load data/foods.csv\n"))
  }

  @Test func definitionsThatAreRightTooAreSolutions() async throws {
    let output = try await type(
      "let foods = load data/foods.csv", "let n = count foods", "let n = 1 + 1",
      "let n = foods.numberOfObjects", "lesson save n.md answer: n")
    #expect(
      output[4].first
        == "saved n.md: an exercise about `n` with 2 solutions and 1 misconception")
  }

  @Test func savedExerciseNeedsContentAndANewFile() async throws {
    let output = try await type(
      "let foods = load data/foods.csv",
      "let list = sectioned foods key: name.firstCharacter sort: name", "lesson save a.md",
      "fetch list", "lesson save course/01-counts.md", "lesson save a.md answer: none",
      "lesson save none/a.md")
    #expect(output[2] == ["error: `list` has no content to check; fetch it first: fetch list"])
    #expect(output[4] == ["error: `course/01-counts.md` already exists; name a new file"])
    #expect(output[5].first?.contains("`none`") == true)
    #expect(output[6] == ["error: the folder of `none/a.md` does not exist; create it first"])
  }
}
