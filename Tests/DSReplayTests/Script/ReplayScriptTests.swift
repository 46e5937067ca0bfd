import DSInterpreter
import DataSources
import Testing

@testable import DSReplay

@Suite struct ReplayScriptTests {
  static func random(_ generator: inout SeededGenerator) -> String {
    let lines = [
      "print 1", "let l = simple [1,", "2]", "count l", "#| a", "#|", "#~ {int} {n=num}", "#~ {n}",
      "#! error: {x}", "#...", "#% section \"s\"", "#% strict", "#% timeout 2s", "# a comment", "",
      "  print 2  # more", "print \"", "#| in a string?", "\"", "#!x", "#< f.txt", "#% unordered",
      "print 'é'; print 3", "```ds", "```", "## heading", "#| ends in \\s", "(", "print 1 \\",
    ]
    let end = generator.pick(["\n", "\r\n", "\r"])
    let count = Int.random(in: 0...14, using: &generator)
    let text = (0..<count).map { _ in generator.pick(lines) }.joined(separator: end)
    return (generator.pick(["", "", "\u{FEFF}"])) + text + generator.pick(["", end])
  }

  @Test func aScriptIsWrittenAsItWasRead() {
    let seed: UInt64 = 1
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let text = Self.random(&generator)
      for path in ["t.ds", "t.md"] {
        let script = ReplayScript(text, path: path)
        #expect(script.text(after: []).utf8.elementsEqual(text.utf8), "seed \(seed): \(text)")
      }
    }
  }

  /// Rewriting every line does not change its meaning.
  @Test func expectationsAreWrittenAsTheyRead() {
    let seed: UInt64 = 1
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<1000 {
      let script = ReplayScript(Self.random(&generator), path: "t.ds")
      guard script.mistakes.isEmpty else { continue }
      let edits = script.commands.flatMap(\.expectations).compactMap { expectation in
        expectation.written.map {
          Correction.Edit(lines: expectation.line..<expectation.line + 1, replacement: [$0])
        }
      }
      let again = ReplayScript(script.text(after: edits), path: "t.ds")
      #expect(again.mistakes.isEmpty, "seed \(seed)")
      #expect(
        again.commands.map { $0.expectations.map(\.written) }
          == script.commands.map { $0.expectations.map(\.written) }, "seed \(seed)")
      #expect(again.commands.map(\.lines) == script.commands.map(\.lines), "seed \(seed)")
    }
  }

  @Test func commandsAndExpectationsKeepTheirLines() {
    let script = ReplayScript(
      "#!/usr/bin/env dsshell\nlet l = simple [1,\n  2]\n\ncount l; print 1\n#| 2\n#| 1\n",
      path: "t.ds")
    #expect(script.mistakes.isEmpty)
    #expect(script.commands.map(\.lines) == [2...3, 5...5])
    #expect(script.commands.map { $0.expectations.map(\.line) } == [[], [6, 7]])
    #expect(script.commands[1].text == "count l; print 1")
  }

  @Test func aMarkerInAStringIsText() async {
    let script = ReplayScript("print \"a\n#| b\"\n#| a\n#| #| b\n", path: "t.ds")
    #expect(script.mistakes.isEmpty)
    #expect(script.commands.map { $0.expectations.count } == [2])
    #expect(await ReplayRunner().run(script).hasFailed == false)
  }

  @Test func aMarkerInAnUnfinishedCommandIsAMistake() {
    for text in ["simple [1,\n#| 1\n2]", "simple [1,\n#! error: x\n", "print 1 |\n#| 1\nprint"] {
      let script = ReplayScript(text, path: "t.ds")
      #expect(
        script.mistakes.first?.message.contains("` is inside the ") == true, "\(text)")
      #expect(script.mistakes.first?.place?.line == 2)
    }
  }

  @Test func aScriptThatDoesNotParseIsNotRun() async {
    var isRun = false
    var observer = ReplayObserver()
    observer.aboutToRun = { _ in isRun = true }
    let outcome = await ReplayRunner()
      .run(ReplayScript("print 1\nprint (\n", path: "t.ds"), observer: observer)
    #expect(!outcome.isParsed && outcome.hasFailed && !isRun)
  }

  @Test func anUnreadableCommandCanBeExpected() async {
    let text = "sectined x\n#! error: no command named `sectined`; did you mean `sectioned`?\n"
    let outcome = await ReplayRunner().run(ReplayScript(text, path: "t.ds"))
    #expect(outcome.problems == [])
    #expect(outcome.isParsed)
  }

  @Test func directivesApplyByTheirPosition() {
    let script = ReplayScript(
      """
      #% timeout 3s
      print 1
      #% timeout 1s
      print 2

      #% timeout 2s
      print 3
      #% section "b"
      print 4
      """, path: "t.ds")
    // Above the first section, a directive that is not below a command applies to the rest of the
    // file.
    #expect(script.mistakes.isEmpty)
    #expect(
      script.commands.map(\.setting.timeout)
        == [.seconds(1), .seconds(3), .seconds(2), .seconds(2)])
  }

  @Test(arguments: [
    ("#|2", "#| 2"), (" #| 2", "#| 2"), ("\t#~ 2", "#~ 2"), ("#|\t2", "#| 2"),
    ("#|\u{A0}2", "#| 2"), ("#%section \"x\"", "#% section \"x\""), ("#....", "#..."),
    ("# ...", "#..."), ("# | 2", "#| 2"), ("#!x", "#! x"), ("#<gone.txt", "#< gone.txt"),
    ("# |2", "#| 2"), ("##|2", "#| 2"), ("# #| 2", "#| 2"),
    ("# %section \"x\"", "#% section \"x\""), ("#│ 2", "#| 2"), ("#｜2", "#| 2"),
  ])
  func aCommentThatLooksLikeAMarkerIsAMistake(line: String, marker: String) {
    let script = ReplayScript("print 1\n\(line)\n", path: "t.ds")
    #expect(
      script.mistakes.map(\.message) == [
        "this is a comment: a marker begins its line and has one space after it; write `\(marker)`"
      ])
    #expect(script.mistakes.first?.place?.line == 2)
  }

  @Test func anEmptyFenceIsAMistake() {
    let text = "# A\n\n```ds\n\n```\n\n```DS\nprint 1\n#| 2\n```\n"
    let script = ReplayScript(text, path: "t.md")
    #expect(script.mistakes.map(\.place?.line) == [3])
    #expect(script.commands.count == 1)
  }

  /// The first line is where directives about the whole script stand.
  @Test(arguments: [
    "#%strict", "#% section \"x", " #% strict", "#%\tstrict", "##% strict", "# % strict", "#|2",
    "#-2", "#...4 lines", "#!error: x", "#!x",
  ])
  func aMarkerIsRecognizedInTheFirstLine(line: String) {
    #expect(ReplayScript("\(line)\nprint 1\n", path: "t.ds").mistakes.first?.place?.line == 1)
    #expect(ReplayScript("# x\n\(line)\nprint 1\n", path: "t.ds").mistakes.first?.place?.line == 2)
  }

  @Test(arguments: [
    "#-- fine", "# fine", "#", "#!/usr/bin/env dsshell", "# !important", "#~~~~", "#%%", "#||",
    "# . a", "#. a", "# <br>", "#1", "# 50 % | 2",
  ])
  func otherCommentsAreComments(line: String) {
    // In the first line, before any command.
    #expect(ReplayScript("\(line)\nprint 1\n", path: "t.ds").mistakes.isEmpty)
    if !line.hasPrefix("#!/") {
      #expect(ReplayScript("print 1\n\(line)\n", path: "t.ds").mistakes.isEmpty)
    }
  }

  /// Scripts without such a command run faster.
  @Test(arguments: [
    ("fetch a async: true", true), ("fetch a async\t: true", true),
    ("paginated a prefetch: 2", true), ("source \"other.ds\"", true),
    ("for f in [1] { source \"other.ds\" }", true), ("print async", false),
    ("# of the source: a comment", false),
  ])
  func aScriptThatMayFetchInTheBackgroundIsRecognized(text: String, mayFetch: Bool) {
    #expect(ReplayScript(text, path: "t.ds").mayFetchInBackground == mayFetch)
  }

  @Test func manyCommentSignsInALineTakeLittleTime() {
    let text = "print \"" + String(repeating: " #", count: 200_000) + "\"\n#| x\n"
    #expect(ReplayScript(text, path: "t.ds").mistakes.isEmpty)
    let behind = ReplayScript("print \" # # #\" #| x", path: "t.ds")
    #expect(behind.mistakes.count == 1)
  }

  @Test func checkingWarnsAboutProbableMistakes() {
    let text =
      "#% section \"a\"\nprint 1\n#| 1 \n#~ {n=int}\n#< gone.txt\n#...\n#...\n#% section \"a\"\nprint 1\n"
    let check = ScriptCheck(ReplayScript(text, path: "t.ds"))
    #expect(check.mistakes == [])
    let expected = [
      "t.ds:3:5: warning: the line ends in white space", "t.ds:4:1: warning: no line below has {n}",
      "t.ds:5:1: warning: `gone.txt` cannot be read", "t.ds:7:1: warning: one `#...` matches",
      "t.ds:8:1: warning: the section of line 1",
    ]
    #expect(check.warnings.count == expected.count)
    for (warning, start) in zip(check.warnings, expected) { #expect(warning.hasPrefix(start)) }
  }
}

extension DSReplay.Expectation {
  /// The whole line as written.
  fileprivate var written: String? {
    switch kind {
    case .line(let text): "#| " + LineEnding.written(text)
    case .pattern(let pattern): "#~ " + LineEnding.written(pattern.written(.doubled))
    case .anyLines: "#..."
    case .digest(let digest): "#... " + digest.text
    case .absent(let text): "#- " + LineEnding.written(text)
    case .file(let name): "#< " + name
    case .errorLine(let pattern): "#! " + LineEnding.written(pattern.written(.lenient))
    }
  }
}
