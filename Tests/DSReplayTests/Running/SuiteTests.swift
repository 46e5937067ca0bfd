import DSInterpreter
import DSReplay
import DataTables
import Foundation
import Glibc
import Testing

/// Scripts that run several times, scripts attached to others, and selected sections.
@Suite struct SuiteTests {
  let folder = FileManager.default.temporaryDirectory.path + "/suite-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  func write(_ text: String, _ name: String) throws {
    let path = folder + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  func script(_ text: String, _ name: String = "t.ds") -> ReplayScript {
    ReplayScript(text, path: folder + "/" + name)
  }

  /// The commands that a run announces, with their lines.
  func commands(
    _ text: String, _ environment: ReplayEnvironment = ReplayEnvironment()
  ) async -> [String] {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var commands: [String] = []
    var observer = ReplayObserver()
    observer.aboutToRun = { commands.append("\($0.lines.lowerBound) \($0.text)") }
    _ = await ReplayRunner(environment).run(script(text), observer: observer)
    return commands
  }

  // MARK: Attached scripts

  @Test func scriptsOfTheFileSurroundThoseOfTheSection() async throws {
    for name in ["a", "b", "c", "d", "e"] { try write("print \"\(name)\"\n", "\(name).ds") }
    let ran = await commands(
      """
      #% before a.ds
      #% after e.ds
      print "above"
      #% section "one"
      #% before b.ds
      #% before c.ds
      #% after d.ds
      print "one"
      #% section "two"
      print "two"
      """)
    #expect(
      ran == [
        "3 print \"a\"", "3 print \"above\"", "3 print \"e\"",
        "4 print \"a\"", "4 print \"b\"", "4 print \"c\"", "8 print \"one\"", "4 print \"d\"",
        "4 print \"e\"",
        "9 print \"a\"", "10 print \"two\"", "9 print \"e\"",
      ])
  }

  @Test func scriptsAreAttachedToAttachedScripts() async throws {
    try write("#% before b.ds\n#% after c.ds\nprint \"a\"\n", "a.ds")
    try write("print \"b\"\n", "b.ds")
    try write("print \"c\"\n", "c.ds")
    let ran = await commands("#% before a.ds\nprint 1\n")
    #expect(ran == ["2 print \"b\"", "2 print \"a\"", "2 print \"c\"", "2 print 1"])
  }

  @Test func aScriptAfterASectionRunsAfterAFailureAndAfterQuit() async throws {
    try write("print \"after\"\n", "after.ds")
    let ran = await commands(
      """
      #% after after.ds
      #% section "fails"
      require 1 == 2
      print "not run"
      #% section "quits"
      quit
      #% section "not run"
      print "not run"
      """)
    #expect(ran == ["3 require 1 == 2", "2 print \"after\"", "6 quit", "5 print \"after\""])
  }

  @Test func aFailedScriptBeforeASectionEndsIt() async throws {
    try write("expect 1 == 2\nprint \"not run\"\n", "a.ds")
    try write("print \"not run\"\n", "b.ds")
    try write("print \"after\"\n", "after.ds")
    let text = "#% before a.ds\n#% before b.ds\n#% after after.ds\nprint 1\n"
    #expect(await commands(text) == ["4 expect 1 == 2", "4 print \"after\""])
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write("expect 1 == 2\nprint \"not run\"\n", "a.ds")
    try write("print 1\n", "b.ds")
    try write("print 1\n", "after.ds")
    let outcome = await ReplayRunner().run(script(text))
    #expect(outcome.failures.map(\.line) == [1])
    #expect(outcome.failures.allSatisfy { $0.correction == nil })
    #expect(outcome.sections.map(\.reason) == [""] && outcome.sections[0].notRunCommands == 1)
  }

  @Test func pathsOfAnAttachedScriptStartInItsFolder() async throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/setup", withIntermediateDirectories: true)
    try write("name\nPie\n", "setup/foods.csv")
    try write("let foods = load foods.csv | fetch\n", "setup/foods.ds")
    try write("name\nA\nB\n", "foods.csv")
    let outcome = await ReplayRunner().run(
      script(
        "#% before setup/foods.ds\nexpect foods.numberOfObjects == 1\ncount (load foods.csv)\n#| 2\n"
      ))
    #expect(outcome.failures.map(\.message) == [])
    #expect(outcome.sections.map(\.passedCommands) == [2])
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func verbsOfAnAttachedScriptCanBeUsed() async throws {
    try write("def greet who {\n  print \"hello \\(who)\"\n}\n", "verbs.ds")
    let script = script("#% before verbs.ds\ngreet \"you\"\n#| hello you\n")
    #expect(script.mistakes.map(\.message) == [])
    #expect(ScriptCheck(script).mistakes == [])
    #expect(await !ReplayRunner().run(script).hasFailed)
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func aSkippedSectionRunsNoAttachedScripts() async throws {
    try write("print \"a\"\n", "a.ds")
    #expect(await commands("#% before a.ds\n#% skip \"later\"\nprint 1\n") == [])
  }

  @Test(arguments: [
    ("#% before a.ds\n", ["before"]), ("print 1\n#% section \"s\"\n#% after a.ds\n", ["after"]),
    ("#% before a.ds\n#% section \"s\"\nprint 0\n#% section \"t\"\nprint 1\n", []),
  ])
  func anAttachedScriptNeedsACommand(text: String, places: [String]) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("print 1\n", "a.ds")
    #expect(
      script(text).mistakes.map(\.message)
        == places.map { "`\($0)` needs a command in its section" })
  }

  @Test func directivesOfAnAttachedScriptNeedNoCommand() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("#% set x = 5\n", "a.ds")
    try write("print 1\n#% remove nothing.csv\n", "b.ds")
    let outcome = await ReplayRunner().run(script("#% before a.ds\nexpect x == 5\n"))
    #expect(outcome.failures.map(\.message) == [])
    let failed = await ReplayRunner().run(script("#% before b.ds\nprint 1\n"))
    #expect(failed.failures.map(\.kind) == [.file])
  }

  @Test func manyWaysToAScriptTakeLittleTime() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for number in 0..<27 {
      let next = "#% before \(number + 1).ds\n#% section \"again\"\n#% before \(number + 1).ds\n"
      try write("print \(number)\n" + next + "print 1\n", "\(number).ds")
      try write(
        "#% before \(number + 1).ds\nprint 0\n#% section \"s\"\n#% after \(number + 1)x.ds\nprint 1\n",
        "\(number)x.ds")
    }
    try write("print 1\n", "27.ds")
    try write("print 1\n", "27x.ds")
    let messages = script("#% before 0.ds\n#% before 0x.ds\nprint 1\n").mistakes.map(\.message)
    #expect(messages.contains { $0.contains("runs more than 1000 attached scripts; attach fewer") })
    #expect(messages.count < 200)
  }

  @Test func aPipeCannotBeAttached() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    mkfifo(folder + "/pipe", 0o600)
    #expect(
      script("#% before pipe\nprint 1\n").mistakes.map(\.message)
        == ["`pipe` is a named pipe, not a regular file"])
    #expect(script("#% before /dev/stdin\nprint 1\n").mistakes.count == 1)
  }

  @Test func anExpectedFailureOfAnAttachedScriptThatPassesIsAFailure() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("expect 1 == 1\n#% xfail \"a bug\"\n", "a.ds")
    let outcome = await ReplayRunner().run(script("#% before a.ds\nprint 1\n"))
    #expect(outcome.failures.map(\.kind) == [.unexpectedPass])
    #expect(outcome.sections[0].notRunCommands == 1)
  }

  @Test func strictAppliesToAttachedScripts() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("print 1\n", "a.ds")
    var environment = ReplayEnvironment()
    environment.isStrict = true
    let outcome = await ReplayRunner(environment).run(script("#% before a.ds\nexpect 1 == 1\n"))
    #expect(outcome.failures.map(\.line) == [1])
  }

  @Test func aSectionNeedsTheFacilitiesOfTheScriptBeforeIt() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("#% require postgres\nlet x = 1\n", "a.ds")
    try write("#% before a.ds\nlet y = x\n", "b.ds")
    for name in ["a.ds", "b.ds"] {
      let outcome = await ReplayRunner().run(
        script("#% section \"s\"\n#% before \(name)\nexpect x == 1\n#% section \"t\"\nprint 1\n"))
      #expect(outcome.sections.map(\.status) == [.skipped, .passed])
      #expect(outcome.sections[0].reason.contains("not available: postgres"))
    }
  }

  @Test func aLessonHasNoRunsOrAttachedScripts() throws {
    let script = ReplayScript(
      "# T\n```ds\n#% lesson \"T\"\n#% before a.ds\n#% each f in *.ds\nprint 1\n```\n",
      path: folder + "/t.md")
    #expect(script.mistakes.contains { $0.message.contains("`a.ds` cannot be read") })
    try write("print 1\n", "a.ds")
    let messages = ReplayScript(
      "# T\n```ds\n#% lesson \"T\"\n#% before a.ds\n#% each f in *.ds\nprint 1\n```\n",
      path: folder + "/t.md"
    ).mistakes.map(\.message)
    #expect(
      messages == [
        "a lesson cannot have `before`; remove this line",
        "a lesson cannot have `each`; remove this line",
      ])
    try FileManager.default.removeItem(atPath: folder)
  }

  // MARK: Runs for files

  @Test func eachCombinationOfFileAndEngineIsARun() async throws {
    try write("a\n1\n", "a.csv")
    try write("a\n1\n2\n", "b.csv")
    let text =
      "#% each file in *.csv\n#% matrix csv, sqlite\n#% section \"s\"\ncount (load (file))\n#| 1\n"
    var environment = ReplayEnvironment()
    environment.facilities = [.sqlite]
    let outcome = await ReplayRunner(environment).run(script(text))
    #expect(
      outcome.sections.map(\.title)
        == ["s, a.csv, csv", "s, a.csv, sqlite", "s, b.csv, csv", "s, b.csv, sqlite"])
    #expect(outcome.sections.map(\.status) == [.passed, .passed, .failed, .failed])
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func anUpdateKeepsWhatIsRightForAnotherRun() async throws {
    try write("a\n1\n", "a.csv")
    try write("a\n1\n2\n", "b.csv")
    let text = "#% each file in *.csv\ncount (load (file))\n#| 1\nprint 3\n#| 4\n"
    try write(text, "t.ds")
    let outcome = await ReplayRunner().run(script(text))
    var update = ScriptUpdate()
    update.update(outcome)
    let new = try String(contentsOfFile: folder + "/t.ds", encoding: .utf8)
    #expect(new == text.replacingOccurrences(of: "#| 4", with: "#| 3"))
    #expect(update.sentence == "updated 1 line in 1 file")
    #expect(update.refusals.count == 1)
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func namesOfFilesAreShownWithoutControlCharacters() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("a\n1\n", "a\u{1B}[1m.csv")
    try write("#% section \"after\"\nexpect 1 == 2\n", "after.ds")
    let outcome = await ReplayRunner().run(
      script("#% each file in *.csv\n#% after after.ds\nprint file\n#| 2\n"))
    let headers = outcome.failures.compactMap(\.picture.first)
    #expect(headers.count == 2 && headers.allSatisfy { !$0.contains("\u{1B}") })
    // The separator follows the title of the attached script.
    #expect(headers[0].contains("t.ds:3 › a") && headers[1].contains("› after, a"))
  }

  @Test func anUpdateOfSomeRunsIsRefusedForTheFilter() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("a\n1\n", "a.csv")
    try write("a\n1\n", "b.csv")
    var environment = ReplayEnvironment()
    environment.filter.texts = ["a.csv"]
    let outcome = await ReplayRunner(environment).run(
      script("#% each file in *.csv\nprint file\n#| 2\n"))
    #expect(outcome.isPartial)
    #expect(
      outcome.failures.first?.message.hasSuffix(
        "not all runs of the script were tested; omit --filter and --exclude") == true)
    #expect(outcome.failures.allSatisfy { $0.correction == nil })
  }

  // MARK: Values

  @Test(
    arguments: [
      ("5", Value.integer(5)), ("1.5", .real(Real(1.5))), ("true", .bool(true)), ("Pie", "Pie"),
      ("\"5\"", "5"), ("null", .null), ("[1, 2]", .array([.integer(1), .integer(2)])),
      ("a b", "a b"),
    ] as [(String, Value)])
  func aValueIsTypedAsAConstant(text: String, value: Value) {
    #expect(Value.constant(text) == value)
    #expect(Value.constant(value.constant) == value)
  }

  @Test func aValueReplacesThatOfTheDirective() async {
    var environment = ReplayEnvironment()
    environment.values = ["rows": 5, "other": "x"]
    let text = "#% set rows = 3\nprint rows\n#| 5\nprint other\n#| x\n"
    #expect(await ReplayRunner(environment).run(script(text)).failures.map(\.message) == [])
    #expect(ScriptCheck(script(text), environment.values).mistakes == [])
    #expect(ScriptCheck(script(text)).mistakes.count == 1)
  }

  @Test func aValueThatTheScriptReplacesIsAMistake() async {
    var environment = ReplayEnvironment()
    environment.values = ["rows": 5]
    let outcome = await ReplayRunner(environment).run(script("let rows = 3\nprint rows\n"))
    #expect(
      outcome.mistakes.first?.contains(
        "`let` replaces the value of `--set rows`; write `#% set rows = …` for the usual value")
        == true)
  }

  @Test func aValueThatAnAttachedScriptReplacesIsAMistake() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("let rows = 3\n", "a.ds")
    var environment = ReplayEnvironment()
    environment.values = ["rows": 5]
    let outcome = await ReplayRunner(environment).run(script("#% before a.ds\nprint rows\n"))
    #expect(
      outcome.mistakes.first?.contains("`let` replaces the value of `--set rows`") == true)
  }

  @Test(
    arguments: [
      ("print file\n", "file", "`each` replaces the value of `--set file`"),
      ("let file = 3\n", nil, "`let` replaces the file that `each` binds to `file`"),
      ("#% set file = 3\nprint file\n", nil, "`set` replaces the file that `each` binds to `file`"),
    ] as [(String, String?, String)])
  func theNameOfEachIsNotBoundAgain(text: String, name: String?, message: String) async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("a\n1\n", "a.csv")
    var environment = ReplayEnvironment()
    if let name { environment.values = [name: 5] }
    let outcome = await ReplayRunner(environment).run(
      script("#% each file in *.csv\n" + text))
    #expect(outcome.mistakes.count == 1)
    #expect(outcome.mistakes.first?.contains(message) == true)
  }

  // MARK: Selection

  @Test func directivesOfExcludedSectionsHaveNoEffect() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("a\n1\n", "a.csv")
    var environment = ReplayEnvironment()
    environment.filter.excluded = ["slow"]
    let outcome = await ReplayRunner(environment).run(
      script(
        """
        #% section "slow"
        #% append a.csv "2\\n"
        print 1
        #% section "fast"
        count (load a.csv)
        #| 1
        """))
    #expect(outcome.problems == [])
    #expect(outcome.sections.map(\.title) == ["fast"])
  }

  @Test func directivesOfCommandsThatDoNotRunHaveNoEffect() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("a\n1\n", "a.csv")
    let outcome = await ReplayRunner().run(
      script(
        """
        #% section "skipped"
        #% skip "never"
        #% append a.csv "2\\n"
        print 1
        #% append a.csv "3\\n"
        #% section "ends early"
        require 1 == 2
        #% append a.csv "4\\n"
        print 1
        #% append a.csv "5\\n"
        #% section "partly skipped"
        #% append a.csv "6\\n"
        print 1
        #% skip "never"
        print 2
        #% section "all"
        objects (load a.csv)
        #| a
        #| 1
        #| 6
        """))
    #expect(outcome.failures.map(\.line) == [7])
  }

  @Test func aScriptThatFetchesInTheBackgroundCanBeAttached() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("fetch a async: true\nprint a.isFetching\n#| true\n", "background.ds")
    let script = script(
      "let a = slow (simple [1]) by: 1s\n#% section \"x\"\n#% before background.ds\nprint 1\n")
    #expect(script.mayFetchInBackground)
    #expect(await ReplayRunner().run(script).problems == [])
  }

  @Test(arguments: [3, 4, 5])
  func aLineBetweenASectionAndItsCommandsSelectsTheSection(line: Int) async {
    var environment = ReplayEnvironment()
    environment.onlyLine = line
    let text = """
      print 0
      #| 1
      #% section "s"
      #% xfail "a bug"

      print 1
      print 2
      #% section "t"
      expect 1 == 2
      """
    let outcome = await ReplayRunner(environment).run(script(text))
    #expect(outcome.sections.map(\.passedCommands) == [0, 2, 0])
    #expect(outcome.failures.map(\.kind) == [.unexpectedPass])
    #expect(
      outcome.failures.first?.picture.last == "     rerun dsshell test \(folder)/t.ds:3")
  }

  static let tagged = """
    #% tags all
    print 0
    #% section "a"
    #% tags x
    print 1
    #% section "b"
    #% tags y
    print 2
    #% section "c"
    print 3
    """

  struct Selection: Sendable {
    var text: String?
    var tags: [String] = []
    var excluded: [String] = []
    let titles: [String]
    /// The number of commands that run.
    let ran: Int
  }

  @Test(arguments: [
    Selection(tags: ["x"], titles: ["a"], ran: 2),
    Selection(tags: ["all"], excluded: ["y"], titles: ["0", "a", "c"], ran: 3),
    Selection(tags: ["x", "y"], titles: ["a", "b"], ran: 3),
    Selection(excluded: ["b"], titles: ["0", "a", "c"], ran: 3),
    Selection(text: "c", excluded: ["x"], titles: ["c"], ran: 3),
    Selection(tags: ["z"], titles: [], ran: 0),
    Selection(excluded: ["all"], titles: [], ran: 0),
  ])
  func sectionsAreSelectedByTagsAndTexts(selection: Selection) async {
    var environment = ReplayEnvironment()
    environment.filter.texts = [selection.text].compactMap { $0 }
    environment.filter.tags = selection.tags
    environment.filter.excluded = selection.excluded
    let runner = ReplayRunner(environment)
    let script = ReplayScript(Self.tagged, path: "t.ds")
    let outcome = await runner.run(script)
    #expect(outcome.sections.map { $0.title ?? "0" } == selection.titles)
    var count = 0
    var observer = ReplayObserver()
    observer.aboutToRun = { _ in count += 1 }
    _ = await runner.run(script, observer: observer)
    // Sections above a selected one run for their effects; excluded ones do not.
    #expect(count == selection.ran)
  }

  @Test func strictAppliesToAllCommands() async {
    var environment = ReplayEnvironment()
    environment.isStrict = true
    let runner = ReplayRunner(environment)
    #expect(await runner.run(script("print 1\nlet x = 2\n")).failures.map(\.line) == [1, 2])
    #expect(await !runner.run(script("print 1\n#| 1\n")).hasFailed)
  }

  // MARK: Environment

  @Test func onlyDeclaredVariablesAreSeen() async {
    let text = """
      #% environment TOKEN=abc
      #% section "declared"
      let posts = remote http://127.0.0.1:9/ headers: {A: env TOKEN}
      remote http://127.0.0.1:9/ headers: {A: env PATH}
      #! error: the environment has no `PATH` (export PATH=… before the start)
      """
    #expect(await ReplayRunner().run(script(text)).failures.map(\.message) == [])
  }
}
