import DataSources
import Testing

@testable import DSInterpreter

/// Colors and hints of a line that is being typed.
@Suite struct EntryDecorationTests {
  /// The parts of a role, with the cursor at the end unless given.
  private func parts(
    _ role: EntryDecoration.Role, of entry: String, cursor: Int? = nil
  ) async throws -> [String] {
    let interpreter = try await HelpTests.prepared()
    let decoration = interpreter.decoration(of: entry, cursor: cursor ?? entry.utf8.count)
    return decoration.parts.filter { $0.role == role }.map {
      String(decoding: Array(entry.utf8)[$0.range], as: UTF8.self)
    }
  }

  private func hint(_ entry: String, history: [String] = []) async throws -> EntryDecoration.Hint? {
    var interpreter = try await HelpTests.prepared()
    interpreter.session.history = history
    return interpreter.decoration(of: entry, cursor: entry.utf8.count).hint
  }

  @Test(arguments: [
    ("lod foods", ["lod"]), ("print 1; shwo x", ["shwo"]), ("foods | fetsch | count", ["fetsch"]),
    ("foods | sectioned kye: kind", ["kye:"]), ("for f in foods { pritn f }", ["pritn"]),
    ("if true { count foods } else { cuont foods }", ["cuont"]),
    ("show lettrs ", ["lettrs"]),
    ("sectioned foods key: knid sort: nmae desc, kind mode: runs", ["knid", "nmae"]),
    ("foods | filtered where: knid == 'a' AND kind.length > 1 ", ["knid"]),
    ("sectioned foods key: kind mode: grups ", ["grups"]),
    ("load a.csv\nlod b.csv ", ["lod"]),
  ])
  func unknownWordsAreMarked(entry: String, unknown: [String]) async throws {
    #expect(try await parts(.unknown, of: entry) == unknown)
  }

  @Test(arguments: [
    "foods", "fet", "sectioned foods key: ki", "sectioned foods key: kind.first",
    "remote http://127.0.0.1:9/x | sectioned key: anything", "filtered foods where: ANY kind == 1",
    "load foods.csv",
    "filtered foods where: name BEGINSWITH[cd] 'a' AND SELF.kind == name",
    "let x = count foods; x + 1", "letters[0, 0].name",
    "letters.numberOfObjects", "1 + 2", "-1", "not true", "_", "args",
    "filtered foods where: kind == 'a' || name == 'b'",
    "insert foods {anything: 1}", "update foods [0, 0] anything: 1", "set letters mode: runs",
    "def byKind X by: kind { sectioned X key: by } ; byKind foods by: name",
    "for f in foods { f }", "expect (count foods) == 12", "$foods", "let y = 1; if y == 1 { y }",

    "edit foods { insert foods {a: 1}; remove foods [0, 0] }", "# lod",
    "print \"lod kye: \\(foods)\"",
  ])
  func knownAndUnfinishedWordsAreNotMarked(entry: String) async throws {
    #expect(try await parts(.unknown, of: entry) == [])
  }

  /// No part of a right entry is marked at any time while it is typed.
  @Test func examplesAreNotMarkedWhileTheyAreTyped() async throws {
    let interpreter = try await HelpTests.prepared()
    for command in CommandTable.standard.commands {
      let examples = command.examples.filter { !$0.hasPrefix("expect throws") }
      let text = examples.joined(separator: "\n")
      // Some are about a database that is not open here.
      let commands = ParsedCommand.all(
        in: Span(ScriptText(text), 0..<text.utf8.count), commands: .standard)
      guard interpreter.session.mistakes(in: commands, keepsGoing: false).isEmpty else { continue }
      for end in text.indices + [text.endIndex] {
        let entry = String(text[..<end])
        let marked = interpreter.decoration(of: entry, cursor: entry.utf8.count).parts.filter {
          $0.role == .unknown || $0.role == .unmatchedBracket
        }
        #expect(marked.isEmpty, "\(entry.debugDescription): \(marked)")
      }
    }
  }

  @Test func aMistakeFarDownIsMarkedInItsLine() async throws {
    let lines = (0..<30).map { "let é\($0) = \($0)" } + ["show lettrs first: 1", "print 1"]
    #expect(try await parts(.unknown, of: lines.joined(separator: "\n")) == ["lettrs"])
  }

  @Test func theMistakeOfAnEarlierDefinitionIsNotInTheEntry() async throws {
    var interpreter = try await HelpTests.prepared()
    _ = try await interpreter.run("def f x { show lettrs }") { _, _ in }
    let entry = "f foods | sectioned key: kind "
    #expect(
      interpreter.decoration(of: entry, cursor: entry.utf8.count).parts.allSatisfy {
        $0.role != .unknown
      })
  }

  @Test func manyBracketsAreReadInTime() async throws {
    let entry = "show " + String(repeating: "[", count: 15_000)
    let interpreter = try await HelpTests.prepared()
    _ = interpreter.decoration(of: entry, cursor: entry.utf8.count)
    #expect(
      await interpreter.completions(for: entry, at: entry.utf8.count).candidates.isEmpty)
  }

  @Test func aWordIsMarkedWhenNoLongerWordIsKnown() async throws {
    #expect(try await parts(.unknown, of: "sho") == [])
    #expect(try await parts(.unknown, of: "sho", cursor: 0) == ["sho"])
    #expect(try await parts(.unknown, of: "shox") == ["shox"])
  }

  @Test func verbsLabelsStringsAndCommentsHaveTheirRoles() async throws {
    let entry = "let x = load \"a b.csv\" format: csv # a comment\nfetch x"
    #expect(try await parts(.verb, of: entry) == ["let", "load", "fetch"])
    #expect(try await parts(.label, of: entry) == ["format:"])
    #expect(try await parts(.string, of: entry) == ["\"a b.csv\""])
    #expect(try await parts(.comment, of: entry) == ["# a comment"])
    #expect(try await parts(.string, of: "load \"a b") == ["\"a b"])
  }

  @Test func bracketsAtTheCursorAreMatched() async throws {
    #expect(try await parts(.matchedBracket, of: "print [1, (2)]") == ["[", "]"])
    #expect(try await parts(.matchedBracket, of: "print [1, (2)]", cursor: 10) == ["(", ")"])
    #expect(try await parts(.matchedBracket, of: "print [1, (2)]", cursor: 8) == [])
    #expect(try await parts(.unmatchedBracket, of: "print [1, 2)") == [")"])
    #expect(try await parts(.unmatchedBracket, of: "print (1") == [])
  }

  @Test func theNewestEntryWithTheSameBeginningIsAHint() async throws {
    let history = ["show a", "show foods", "show letters\nfetch letters", "count foods"]
    #expect(try await hint("show", history: history) == .entry(" letters\nfetch letters"))
    #expect(try await hint("show f", history: history) == .entry("oods"))
    #expect(try await hint("count foods", history: history) == nil)
    #expect(try await hint("", history: history) == nil)
  }

  @Test(arguments: [
    ("object ", "SOURCE [SECTION, ROW]"), ("object letters ", "[SECTION, ROW]"),
    ("let x = fetchNextPage ", "SOURCE"), ("foods | object ", "[SECTION, ROW]"),
    ("rename foods ", "NEWNAME"),
  ])
  func theNextArgumentsAreAHint(entry: String, synopsis: String) async throws {
    #expect(try await hint(entry) == .synopsis(synopsis))
  }

  @Test(arguments: ["object", "object letters [", "print ", "sectioned foods key: ", "# a "])
  func noArgumentsAreHintedInAnUnfinishedOne(entry: String) async throws {
    #expect(try await hint(entry) == nil)
  }

  @Test func usedLabelsAreNotHinted() async throws {
    guard case .synopsis(let all)? = try await hint("sectioned foods "),
      case .synopsis(let rest)? = try await hint("sectioned foods key: kind ")
    else {
      Issue.record("expected a synopsis")
      return
    }
    #expect(all.contains("[key:") && all.contains("[mode:"))
    #expect(!rest.contains("[key:") && rest.contains("[mode:"))
  }

  @Test(arguments: [
    ("object letters [0, 1]", "[0, 1]"), ("load \"a b.csv\"", "\"a b.csv\""),
    ("show x first: 3", "3"),
    ("print (count x)", "(count x)"), ("a; count b | fetch c", "c"),
    ("insert x {a: [1]}", "{a: [1]}"),
  ])
  func theLastArgumentIsWhole(entry: String, argument: String) {
    #expect(Interpreter.lastArgument(of: entry) == argument)
  }

  @Test(arguments: ["", "help", "print [1, (2", "print ]", ")", "print \"a"])
  func anEntryMayHaveNoLastArgument(entry: String) {
    #expect(Interpreter.lastArgument(of: entry) == nil)
  }
}
