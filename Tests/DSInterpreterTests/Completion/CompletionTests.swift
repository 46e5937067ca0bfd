import DataSources
import DataTables
import Databases
import Foundation
import Testing

@testable import DSInterpreter

@Suite struct CompletionTests {
  private func completions(_ line: String) async throws -> Completions {
    let interpreter = try await HelpTests.prepared()
    return await interpreter.completions(for: line, at: line.utf8.count)
  }

  @Test(arguments: [
    ("fet", ["fetch", "fetchData"], 0),
    (
      "let x = sectio",
      ["sections", "sectioned", "sectionForTitle", "sectionTitles", "sectionIndexTitles"], 8
    ),
    ("filtered foods where: SUB", ["SUBQUERY("], 22),
    ("filtered foods where: kind NOT BET", ["BETWEEN"], 31),
    ("sectioned foods sort: kind i", ["in"], 27), ("fetch let", ["letters"], 6),
    ("fetch letters | tit", ["titles"], 16),
    ("expect (cou", ["count"], 8),
    ("expect let", ["letters"], 7),
    ("print letters.numberOf", ["letters.numberOfSections", "letters.numberOfObjects"], 6),
    ("sectioned foods ke", ["key:"], 16),
    ("sectioned foods key: na", ["name"], 21),
    ("sectioned foods key: name.first", ["name.firstCharacter"], 21),
    ("sectioned letters key: ki", ["kind"], 23),
    ("foods | sectioned sort: name, k", ["kind", "key:"], 30),
    ("sectioned foods key: name sort: name de", ["desc"], 37),
    ("set letters mo", ["mode:"], 12), ("set foods en", ["encoding:"], 10),
    ("set let", ["letters"], 4),
    ("load data/fo", ["data/foods.csv"], 5),
    ("load dat", ["data/"], 5),
    ("load data/foods.csv for", ["format:"], 20),
    ("load data/foods.csv format: js", ["json"], 28),
    (
      "help sec",
      ["sectioned", "sections", "sectionForTitle", "sectionTitles", "sectionIndexTitles"], 5
    ),
    ("option ti", ["timer"], 7), ("option timer o", ["on", "off"], 13),
    ("option mode ta", ["table"], 12), ("option limit n", ["null"], 13),
    ("help gro", ["group"], 5), ("help err", ["errors"], 5), ("history s", ["save"], 8),
    ("timer o", ["on", "off"], 6), ("trace o", ["on", "off"], 6),
    ("mode ta", ["table"], 5), ("cassette o", ["off"], 9), ("fetch letters all: t", ["true"], 19),
    ("sections letters order: ti", ["title"], 24), ("sections letters with: @su", ["@sum"], 23),
    ("sectioned foods key: kind mode: gr", ["groups"], 32),
    ("organized foods alph", ["alphabetically"], 16),
    ("load data/foods.csv types: {kind: str", ["string"], 34),
    ("remote file:x placeholders: [loa", ["loading"], 29),
    ("update foods [0, 0] ki", ["kind:"], 20), ("source data/foods", [], 7),
    ("indexPath letters {name: Pie} whe", ["where:"], 30), ("count letters lett", [], 14),
    ("fetch letters; ti", ["titles", "timer"], 15),
    ("print \"fet", [], 10),
    ("# fet", [], 5),
    ("é; fet", ["fetch", "fetchData"], 4),
  ])
  func theWordIsCompleted(line: String, expected: [String], start: Int) async throws {
    let found = try await completions(line)
    #expect(Set(found.texts).isSuperset(of: Set(expected.filter { $0 != "key:" })))
    #expect(found.candidates.count <= expected.count + 2)
    #expect(found.start == start || found.candidates.isEmpty)
  }

  @Test func anEmptyWordOffersEveryCandidate() async throws {
    #expect(try await completions("").texts.contains("load"))
    #expect(try await completions("fetch ").texts == ["foods", "letters"])
    #expect(try await completions("load data/foods.csv ").texts.contains("types:"))
  }

  @Test func aWordAfterALabelIsItsValue() async throws {
    #expect(try await completions("load data/foods.csv table: p").texts == [])
    #expect(
      try await completions("load data/foods.csv strict: true ty").texts == ["types:"])
  }

  /// A database with the table `people` of three columns, and another one with an unusual name.
  private func session(
    _ body: (inout Interpreter) async throws -> Void
  ) async throws {
    let folder = NSTemporaryDirectory() + "dsshell-completion-\(UInt64.random(in: 0...UInt64.max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await FileOverlay.$current.withValue(FileOverlay { folder }) {
      var interpreter = try await HelpTests.prepared()
      try await run(
        """
        let shop = open completion.sqlite write: true
        let rows = simple [{id: 1, name: Ann, "home town": Oslo}]
        save rows shop.people
        save rows shop."order items"
        let staff = fetchedResults shop.people sort: name
        drop rows
        """, in: &interpreter)
      try await body(&interpreter)
      try await run("close shop", in: &interpreter)
    }
  }

  private func run(_ script: String, in interpreter: inout Interpreter) async throws {
    try await interpreter.run(script) { event, _ in
      if case .failure(let diagnostic) = event { Issue.record(diagnostic) }
    }
  }

  /// The candidates that are not labels. On a busy machine, a catalog arrives after the prompt has
  /// stopped waiting, and is there for the next Tab.
  private func candidates(
    _ line: String, in interpreter: Interpreter, awaiting expected: [String]
  ) async -> [String] {
    var found: [String] = []
    for _ in 0..<100 {
      found = await interpreter.completions(for: line, at: line.utf8.count).texts
        .filter { !$0.hasSuffix(":") }
      if found == expected { break }
    }
    return found
  }

  @Test func tablesAndColumnsAreCompleted() async throws {
    let cases: [(line: String, expected: [String])] = [
      ("count shop.", ["shop.\"order items\"", "shop.people"]),
      ("count shop.pe", ["shop.people"]),
      ("describe sho", ["shop.\"order items\"", "shop.people"]),
      ("save staff shop.", ["shop.\"order items\"", "shop.people"]),
      ("tables s", ["shop"]), ("close s", ["shop"]),
      ("print shop.people.numberOfO", ["shop.people.numberOfObjects"]),
      ("sectioned shop.people key: n", ["name"]), ("fetchedResults shop.people sort: na", ["name"]),
      ("filtered shop.people where: \"", []), ("filtered shop.people where: i", ["id"]),
      ("sectioned shop.\"order items\" key: h", ["\"home town\""]),
      ("sectioned shop.\"order items\" key: na", ["name"]),
      ("sectioned staff key: na", ["name"]),
      ("sections staff with: @max.i", ["@max.id"]),
      // Without a table in the statement, no column is known.
      ("query shop \"SELECT na", []), ("query shop \"SELECT * FROM pe", ["people"]),
      ("query shop \"SELECT * FROM ", ["people"]),
      ("query shop \"SELECT * FROM people WHERE n", ["name"]),
      ("exec shop 'DELETE FROM pe", ["people"]), ("query shop \"SELECT 'pe", []),
      ("query other \"SELECT * FROM pe", []), ("print \"SELECT * FROM pe", []),
      ("option li", ["limit"]),
      // A name with a space is not a word.
      ("load completion.sqlite table: ", ["people"]),
      ("load completion.sqlite table: pe", ["people"]), ("load missing.sqlite table: p", []),
      ("save staff completion.sqlite table: p", ["people"]),
    ]
    try await session { interpreter in
      for (line, expected) in cases {
        let matching = await candidates(line, in: interpreter, awaiting: expected)
        #expect(matching == expected, "\(line)")
      }
    }
  }

  @Test func aStatementThatMakesATableChangesWhatIsOffered() async throws {
    try await session { interpreter in
      try await run("exec shop \"CREATE TABLE pets (owner)\"", in: &interpreter)
      for (line, expected) in [
        ("count shop.pe", ["shop.people", "shop.pets"]), ("sectioned shop.pets key: ow", ["owner"]),
      ] {
        let found = await candidates(line, in: interpreter, awaiting: expected)
        #expect(found == expected, "\(line)")
      }
    }
  }

  @Test func aClosedDatabaseIsNotAsked() async throws {
    try await session { interpreter in
      guard case .database(let shop)? = interpreter.session.names["shop"] else { return }
      var known: [TableName] = []
      for _ in 0..<100 where known.count < 2 { known = await shop.names.currentTables() }
      #expect(known.count == 2)
      await shop.close()
      #expect(await shop.names.currentTables() == known)
      #expect(await shop.names.columns(of: ["order items"]) == nil)
      try await run("drop staff; drop shop; let shop = open completion.sqlite", in: &interpreter)
    }
  }

  @Test(arguments: -3...60)
  func everyOffsetIsAccepted(offset: Int) async throws {
    let interpreter = Interpreter()
    let line = "let é = load \"日本\" key: [1, (fetch x.y) | show # rest"
    let found = await interpreter.completions(for: line, at: offset)
    #expect(found.start <= max(0, offset))
  }

  @Test func plotOffersASourceAfterSectionsAndKeysAfterASource() async throws {
    let line = try await UnfinishedLine()
    #expect(await line.words("plot sections ").contains("letters"))
    #expect(!(await line.words("plot sections ").contains("kind")))
    #expect(await line.words("plot foods ").contains("kind"))
    #expect(!(await line.words("plot foods ").contains("letters")))
    #expect(await line.words("plot ").contains("sections"))
  }

  /// A phrase is a value, and words that qualify it.
  @Test func thePartsOfAPhraseAreCompleted() async throws {
    let line = try await UnfinishedLine()
    #expect(await line.words("tree letters as: ").contains("svg"))
    #expect(!(await line.words("tree letters as: svg ").contains("html")))
    #expect(await line.words("sections letters order: ").contains("count"))
    #expect(await line.words("sections letters order: count ").contains("desc"))
    #expect(await line.words("sections letters order: count desc, ").contains("title"))
    #expect(await line.words("compare foods key: kind modes: runs, ").contains("groups"))
    #expect(await line.words("preview foods cell: name, ").contains("kind"))
  }
}
