import DataSources
import Testing

@testable import DSInterpreter

/// Mistakes that are found before a script runs.
@Suite struct StaticCheckTests {
  /// Scripts, and their mistakes as `LINE: MESSAGE`.
  static let mistaken: [(script: String, mistakes: [String])] = [
    (
      "let letters = simple [1]\nprint 1\nshow lettters",
      ["3: no source named `lettters`; letters"]
    ),
    (
      "let x = simple [1]\nsectioned x mode: grups\nobject x [0, 0] lable: 1",
      [
        "2: unknown mode `grups`; expected runs, …; groups",
        "3: object has no label `lable:`; it takes no labels",
      ]
    ),
    // All of a script: also what does not parse.
    (
      "let x = simple [1]\nshow y\nprint (1\nprint 2)\nlimit x 0",
      [
        "2: no source named `y`", "4: unexpected `print`",
        "5: expected a positive integer, not `0`",
      ]
    ),
    ("count x | fetch", ["1: no source named `x`"]),
    ("let x = simple [1]\nlimit x 0", ["2: expected a positive integer, not `0`"]),
    (
      "let x = simple [1]\nlimit x 99999999999999999999",
      ["2: `99999999999999999999` is out of range: integers have 64 bits"]
    ),
    ("option rows ten", ["1: expected a positive integer or `null`, not `ten`"]),
    ("option mode tabel", ["1: unknown mode `tabel`; expected table; table"]),
    ("mode tabel", ["1: unknown mode `tabel`; expected table; table"]),
    ("print total", ["1: nothing is named `total`; write `\"total\"` to mean the string"]),
    ("print \"\\(total)\"", ["1: nothing is named `total`; write `\"total\"` to mean the string"]),
    ("let total = 3\nprint totl + 1", ["2: nothing is named `totl`; total"]),
    ("expect $total == 3", ["1: nothing is named `total`"]),
    ("total", ["1: no command or name `total`"]),
    ("query shp \"SELECT 1\"", ["1: no database named `shp`"]),
    ("drop x", ["1: nothing is named `x`"]),
    ("let x = simple [1]\ndrop x\ncount x", ["3: no source named `x`"]),
    ("let x = simple [1]\nrename x y\ncount x\ncount y", ["3: no source named `x`"]),
    ("show", ["1: show needs a source: `show SOURCE [SECTION] [first: N] …`…"]),
    ("let x = simple [1]\nshow", ["2: …the source used last is `x`"]),
    ("let x = simple [1]\ncount x 0 0", ["2: unexpected argument `0`: `count SOURCE [SECTION]`"]),
    // A line has one mistake, and one that does not bind its name does not cause others.
    ("let y = filtered x\ncount y", ["1: filtered needs a predicate: `…"]),
    ("print a + b", ["1: nothing is named `a`; write `\"a\"` to mean the string"]),
    // Conditions and keys.
    ("let x = simple [{a: 1}]\nfiltered x where: a == $b", ["2: nothing is named `b`"]),
    ("let x = simple [{a: 1}]\nfiltered x where: a == (count y)", ["2: no source named `y`"]),
    // Blocks.
    (
      "for n in [1] { print n }\nprint n",
      ["2: nothing is named `n`; write `\"n\"` to mean the string"]
    ),
    (
      "for n in ns {\n  print n\n  print m\n}",
      [
        "1: nothing is named `ns`; write `\"ns\"` to mean the string",
        "3: nothing is named `m`; write `\"m\"` to mean the string",
      ]
    ),
    (
      "if 1 == 2 {\n  let a = 1\n} else {\n  print a\n}\nprint a",
      ["4: nothing is named `a`; write `\"a\"` to mean the string"]
    ),
    ("edit x { insert x 1 }", ["1: no source named `x`", "1: no source named `x`"]),
    ("edit { print 1 }", ["1: edit needs a source: `edit SOURCE { LINES }`"]),
    // The names of a definition are checked where it is called first.
    (
      "def f x {\n  print x\n  print total\n}\nf 1\nf 2",
      ["3: nothing is named `total`; write `\"total\"` to mean the string"]
    ),
    ("def f x { print 1 }\nf", ["2: f needs x: `f x`"]),
    ("def f x n: 2 { print n }\nf 1 m: 3", ["2: f has no label `m:`: `f x [n: 2]`"]),
    ("def f { mode tabel }", ["1: unknown mode `tabel`; expected table; table"]),
    ("def f { let own = 1 }\nf\nprint own", ["3: …"]),
    // A name that only the run knows makes other names possible, unless `let` binds the source.
    (
      "let p = \"a.csv\"\nlet x = load $p\ncount y",
      ["3: no source named `y`"]
    ),
    ("if args.@count > 3 { quit }\ncount y", ["2: no source named `y`"]),
    ("expect all x where: a == 1", ["1: no source named `x`"]),
    (
      "def f { print 1 }\nprint (f)",
      ["2: nothing is named `f`, which is a command; `let value = f` binds its value"]
    ),
  ]

  @Test(arguments: mistaken)
  func aMistakeIsFoundBeforeAnythingRuns(script: String, expected: [String]) async throws {
    let (outcome, output, failures) = try await run(script)
    #expect(outcome == .notParsed && output == 0)
    #expect(failures.count == expected.count, "\(failures)")
    for (failure, expected) in zip(failures, expected) {
      let parts = expected.split(separator: "…", omittingEmptySubsequences: false)
      let isEqual =
        parts.count == 1
        ? failure == expected
        : failure.hasPrefix(parts[0]) && failure.hasSuffix(parts[parts.count - 1])
      #expect(isEqual, "\(failure)")
    }
  }

  // The lines of blocks fail with the block.
  @Test(arguments: mistaken.map(\.script).filter { !$0.contains("for ") && !$0.contains("def ") })
  func aMistakeIsReportedAsTheRunReportsIt(script: String) async throws {
    let found = try await run(script).failures
    var session = Session()
    let text = ScriptText(script)
    let commands = ParsedCommand.all(
      in: Span(text, 0..<text.bytes.count), commands: session.commands)
    var errors: [String] = []
    for command in commands {
      switch command {
      case .mistake(let mistake, _, _): errors.append(Self.text(of: mistake))
      case .line(let line):
        _ = try await session.execution.execute(line, keepsGoing: true, in: &session) { event, _ in
          if case .failure(let failure) = event { errors.append(Self.text(of: failure)) }
        }
      }
    }
    for mistake in found { #expect(errors.contains(mistake), "\(errors)") }
  }

  @Test(arguments: [
    // Names that the line, an earlier line or the session binds.
    "let s = simple [1] | fetch; count s; print _; print args",
    "let s = sectioned (simple [{a: 1}]) key: a | fetch | count",
    "let x = simple [1]; rename x y; drop y",
    "simple [1] | count; let n = 3; limit (simple [1]) $n",
    // Keys, values, paths and words are not names.
    "let s = simple [{a: 1}]; filtered s where: a == 1 and a != null; columns s a",
    "let s = simple [{a: [{b: 1}]}]; filtered s where: SUBQUERY(a, $x, $x.b > 3).@count > 0",
    "let s = simple [Pie, Fig]; insert s Tea; diff s s; help count",
    "expect SUBQUERY([1, 2], $x, $x > 1) == [2]",
    // A later line of a loop binds the name for the next round.
    "let n = 0; for x in [1, 2] { if n > 0 { print last }; let last = x; let n = 1 }",
    "if 1 == 1 { let a = 1 } else { let a = 2 }; print a",
    "if 1 == 1 { let a = 1 } else if 1 == 2 { let b = 2 }; print a",
    // A definition may use what is bound later, and names of its own.
    "def total { print (count s) }; let s = simple [1]; total",
    "def f x { let y = $x; print y; if $x > 0 { f ($x - 1) } }; f 2",
    "def f { drop s }; let s = simple [1]; f; let s = simple [1]; count s",
    "def f { rename s t }; let s = simple [1]; f; count t",
    "let s = simple [1]; if 1 == 2 { drop s }; count s",
    // Expected errors are not mistakes.
    "expect throws unknownName: show nosuch",
    "expect throws badArgument: object (simple [1]) [a, b]",
    "let s = simple [1]; expect throws notFetched: let t = sectioned s | show; count s",
    // A line after `quit` does not run.
    "def end { quit }; end; show nosuch",
    "quit; show nosuch",
  ])
  func whatRunsWithoutErrorsHasNoMistakes(script: String) async throws {
    let (outcome, _, failures) = try await run(script)
    #expect(failures.isEmpty && outcome != .notParsed, "\(failures)")
  }

  @Test func callsAreCheckedToADepth() async throws {
    // Each definition also has blocks as deep as the parser accepts them.
    let depth = Parser.maxDepth - 1
    let blocks = String(repeating: "if 1 == 1 { ", count: depth)
    let ends = String(repeating: " }", count: depth)
    let definitions = (1...50).map { "def f\($0) { \(blocks)f\($0 - 1)\(ends) }" }
    let script = "def f0 { print 1 }\n" + definitions.joined(separator: "\n")
    let commands = CommandTable.standard
    let text = ScriptText(script + "\nf50\nprint nothing")
    let parsed = ParsedCommand.all(in: Span(text, 0..<text.bytes.count), commands: commands)
    let mistakes = Session().mistakes(in: parsed, keepsGoing: false)
    #expect(mistakes.map(\.kind) == [.unknownName], "\(mistakes.map(\.message))")
  }

  @Test func theNamesOfTheSessionAreKnown() async throws {
    var interpreter = Interpreter()
    let script = "let foods = simple [1]; def f { print foods.numberOfObjects }"
    try await interpreter.run(script) { _, _ in }
    let outcome = try await interpreter.run("count foods; f") { _, _ in }
    #expect(outcome == .done)
  }

  @Test func aNameOfALineThatFailedIsKnown() async throws {
    var failures: [Diagnostic] = []
    var interpreter = Interpreter()
    let script = "let x = load nosuch.csv\ncount x\nprint 1"
    let outcome = try await interpreter.run(script, keepsGoing: true) { event, _ in
      if case .failure(let failure) = event { failures.append(failure) }
    }
    #expect(outcome == .failed && failures.map(\.kind) == [.io, .unknownName])
  }

  private func run(
    _ script: String
  ) async throws -> (outcome: ExecutionOutcome, outputs: Int, failures: [String]) {
    var interpreter = Interpreter()
    var outputs = 0
    var failures: [String] = []
    let outcome = try await interpreter.run(script) { event, _ in
      switch event {
      case .output: outputs += 1
      case .failure(let failure): failures.append(Self.text(of: failure))
      }
    }
    return (outcome, outputs, failures)
  }

  /// `LINE: MESSAGE; SUGGESTION`
  private static func text(of mistake: Diagnostic) -> String {
    "\(mistake.place?.line ?? 0): \(mistake.message)"
      + (mistake.suggestion.map { "; \($0)" } ?? "")
  }
}
