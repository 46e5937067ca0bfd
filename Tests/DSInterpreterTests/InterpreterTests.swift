import DataSources
import DataTables
import Foundation
import Synchronization
import Testing

@testable import DSInterpreter

@Suite struct InterpreterTests {
  /// The output of a script and how it ended.
  private func run(
    _ text: String, in interpreter: inout Interpreter, keepsGoing: Bool = false
  ) async throws -> (lines: [String], errors: [Diagnostic], outcome: ExecutionOutcome) {
    var lines: [String] = []
    var errors: [Diagnostic] = []
    let outcome = try await interpreter.run(text, keepsGoing: keepsGoing) { event, _ in
      switch event {
      case .output(let output): lines += try await PlainText.lines(of: output)
      case .failure(let diagnostic): errors.append(diagnostic)
      }
    }
    return (lines, errors, outcome)
  }

  @Test func progressIsShownUntilTheCommandHasAResult() async throws {
    var interpreter = Interpreter()
    let progress = interpreter.session.progress
    let reportedNames = Mutex<[String]>([])
    interpreter.session.options.traceWriter = { _, _ in
      guard let report = progress.current else { return }
      // No earlier progress is left.
      #expect(report.age == report.elapsed)
      reportedNames.withLock { $0.append(report.name) }
    }
    let script = "trace on; let a = simple [1]; fetch a; object a [5, 0]"
    try await interpreter.run(script) { _, session in
      #expect(session.progress.current == nil)
      _ = session.progress.begin("showing")
    }
    #expect(reportedNames.withLock { $0 } == ["fetch a", "fetch a"])
  }

  @Test func nothingRunsWhenAScriptDoesNotParse() async throws {
    var interpreter = Interpreter()
    let result = try await run("let a = 1\nprint )\nprint (\n", in: &interpreter)
    #expect(result.outcome == .notParsed)
    #expect(result.errors.map(\.place?.line) == [2, 3])
    #expect(interpreter.session.bindings.isEmpty)
  }

  @Test func aTransactionThatAScriptLeavesOpenIsRolledBack() async throws {
    var interpreter = Interpreter()
    var warnings: [String] = []
    let script = "let a = simple [1, 2]; begin a; remove a [0, 0]"
    let outcome = try await interpreter.run(script) { event, _ in
      if case .output(let output) = event { warnings += output.warnings }
    }
    #expect(outcome == .done)
    #expect(warnings == ["the transaction of a was rolled back: `commit` is missing"])
    let result = try await run("print a.allObjects", in: &interpreter)
    #expect(result.lines == ["[1, 2]"])
  }

  @Test func aTraceShowsTheEventsOfEdits() async throws {
    var interpreter = Interpreter()
    let events = Mutex<[String]>([])
    interpreter.session.options.traceWriter = { line, _ in
      events.withLock { $0.append("\(line.source) \(line.event)") }
    }
    _ = try await run(
      "let a = simple [1, 2]; let b = sectioned a; fetch b; trace on; remove b [0, 0]; undo a",
      in: &interpreter)
    let edit = ["will", "changes", "finished"]
    let expected = edit.map { "a \($0)" } + edit.map { "b \($0)" }
    #expect(events.withLock { $0 } == expected + expected)
  }

  @Test func aScriptStopsAtItsFirstError() async throws {
    var interpreter = Interpreter()
    let result = try await run("print 1\nexpect 1 == 2\nprint 3", in: &interpreter)
    #expect(result.outcome == .failed)
    #expect(result.lines == ["1"])
  }

  @Test func aScriptThatKeepsGoingStopsAtARequirement() async throws {
    var interpreter = Interpreter()
    let result = try await run(
      "expect 1 == 2\nprint 3\nrequire 1 == 2\nprint 4", in: &interpreter, keepsGoing: true)
    #expect(result.outcome == .failed)
    #expect(result.lines == ["3"])
    #expect(result.errors.count == 2)
  }

  @Test(arguments: [
    "if true { require 1 == 2; print 3 }", "def f { require 1 == 2 }; f",
    "def f { require 1 == 2; 3 }; let a = f",
    "for x in [1, 2] { for y in [1, 2] { require y == 3 }; print x }",
  ])
  func aRequirementInABlockEndsTheScript(text: String) async throws {
    var interpreter = Interpreter()
    let result = try await run(text + "\nprint 4", in: &interpreter, keepsGoing: true)
    #expect(result.outcome == .failed)
    #expect(result.lines == [])
    #expect(result.errors.count == 1)
  }

  @Test(arguments: ["if true { quit 3 }", "def f { quit 3 }; f", "def f { quit 3 }; let a = f"])
  func quitInABlockEndsTheScript(text: String) async throws {
    var interpreter = Interpreter()
    let result = try await run(text + "; print 2", in: &interpreter)
    #expect(result.outcome == .quit(3))
    #expect(result.lines == [])
  }

  @Test func aScriptThatNamesItselfIsReadOnce() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).ds")
      .path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try "source \(path)\nsource \(path)\ndef f { print 1 }\n"
      .write(toFile: path, atomically: true, encoding: .utf8)
    var interpreter = Interpreter()
    let result = try await run("source \(path)\nf", in: &interpreter)
    #expect(result.errors.count == 1)
    #expect(result.errors.first?.kind == .limit)
  }

  @Test(arguments: [17, 500, 20_000]) func nestedStringsAreLimited(levels: Int) async throws {
    var interpreter = Interpreter()
    let open = String(repeating: "\"\\(", count: levels)
    for text in [open, open + "1" + String(repeating: ")\"", count: levels)] {
      let result = try await run("print " + text, in: &interpreter)
      #expect(result.errors.first?.kind == .limit)
    }
  }

  @Test func quitEndsTheScriptWithItsStatus() async throws {
    var interpreter = Interpreter()
    let result = try await run("print 1; quit 3; print 2", in: &interpreter)
    #expect(result.outcome == .quit(3))
    #expect(result.lines == ["1"])
    #expect(try await run("print 2", in: &interpreter).outcome == .done)
  }

  @Test func aRaisedCancellationEndsTheScript() async throws {
    var interpreter = Interpreter()
    interpreter.session.cancellation.cancel()
    let result = try await run("print 1", in: &interpreter, keepsGoing: true)
    #expect(result.outcome == .cancelled)
    #expect(result.errors.first?.kind == .cancelled)
    interpreter.session.cancellation.reset()
    #expect(try await run("print 1", in: &interpreter).outcome == .done)
  }

  @Test func aCancelledFetchKeepsTheContent() async throws {
    var interpreter = Interpreter()
    let made = try await run(
      "let a = simple [1, 2]; let b = sectioned a | fetch", in: &interpreter)
    #expect(made.outcome == .done)
    let listener = CancellingDelegate(interpreter.session.cancellation)
    guard case .source(let source)? = interpreter.session.bindings.first?.value else {
      Issue.record("nothing bound")
      return
    }
    source.state.add(listener: listener)
    let result = try await run("fetch b; print 1", in: &interpreter)
    #expect(result.outcome == .cancelled)
    #expect(result.errors.first?.message == "fetch of b was canceled; the old content is kept")
    interpreter.session.cancellation.reset()
    listener.cancellation = nil
    #expect(try await run("count b", in: &interpreter).lines == ["2"])
  }

  @Test func anErrorOfTheHandlerEndsTheRun() async throws {
    struct Gone: Error {}
    var interpreter = Interpreter()
    await #expect(throws: Gone.self) {
      try await interpreter.run("print 1") { _, _ in throw Gone() }
    }
  }

  @Test func onlyThePromptUsesTheLastSource() async throws {
    var interpreter = Interpreter()
    interpreter.session.options.isInteractive = true
    #expect(try await run("sections", in: &interpreter).errors.first?.kind == .badArgument)
    let lines = try await run(
      "let a = simple [1, 2]; let b = simple [3]; count a; count; object [0, 1]; indexPath 2",
      in: &interpreter
    ).lines
    #expect(lines.suffix(4) == ["2", "2", "2", "[0, 1]"])
    #expect(try await run("drop a; count", in: &interpreter).outcome == .failed)
    interpreter.session.options.isInteractive = false
    #expect(try await run("count b; count", in: &interpreter).outcome == .notParsed)
  }

  @Test func errorsInsideParenthesesHaveTheirPlace() async throws {
    var interpreter = Interpreter()
    let result = try await run(
      "let a = simple [1]\nexpect (object a [0, 7]) == 1", in: &interpreter)
    #expect(result.errors.first?.place?.line == 2)
    #expect(result.errors.first?.place?.column == 22)
    #expect(result.errors.first?.place?.text == "expect (object a [0, 7]) == 1")
  }

  @Test(arguments: [
    ("sections leters", 10), ("sectioned letters key: b", 24), ("object letters [5, 2]", 17),
    ("object letters [0, 2]", 20), ("set letters sort: a, b desc", 22), ("letters[0, 3]", 8),
    ("letters[0, 0].b", 15), ("print letters.x", 15), ("rename letters null", 16),
    ("fetch letters | object [0, 9]", 28), ("count letters [4]", 16), ("source no.ds", 8),
  ])
  func theCaretIsUnderTheWrongWord(text: String, column: Int) async throws {
    var interpreter = Interpreter()
    let prelude = "let rows = simple [{a: 1}]; let letters = sectioned rows key: a | fetch"
    #expect(try await run(prelude, in: &interpreter).outcome == .done)
    let result = try await run(text, in: &interpreter)
    #expect(result.errors.first?.place?.column == column)
  }

  @Test func anUpperModuleCanAddCommands() async throws {
    var interpreter = Interpreter()
    interpreter.session.commands.add(ForeignCommand.self, to: "foreign")
    #expect(try await run("watch a", in: &interpreter).outcome == .done)
    let help = try await run("help commands", in: &interpreter).lines
    #expect(help.contains { $0.contains("Stands for any verb.") })
    #expect(try await run("help", in: &interpreter).lines.contains { $0.hasPrefix("  foreign") })
  }
}

private final class CancellingDelegate: DataSourceDelegate {
  var cancellation: Cancellation?
  init(_ cancellation: Cancellation) { self.cancellation = cancellation }
  func dataSource(_ source: any DataSource, did event: SourceEvent) { cancellation?.cancel() }
}
