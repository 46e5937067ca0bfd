import Glibc
import TestServer
import Testing

@testable import dsshell

/// Command lines with data.
@Suite struct DataWordsTests {
  private let folder: TemporaryFolder
  private let foods: String

  init() throws {
    folder = try TemporaryFolder()
    foods = try folder.write("foods.csv", "name,kind\nPie,sweet\nCarrot,vegetable\n")
  }

  private static let report =
    "foods: 2 objects, 2 keys (name string, kind string), CSV, UTF-8\n"

  @Test(arguments: [
    (["a.csv", "b.csv"], ["a.csv", "b.csv"], [], []),
    (["a.csv", "-c", "list", "x.ds"], ["a.csv"], [], ["x.ds"]),
    (["--output", "json", "a.csv", "-c", "list", "b", "--", "-c"], ["a.csv"], [], ["b", "-c"]),
    (["--keep-going", "a.csv", "-c", "list"], ["a.csv"], [], []),
    (["-c", "list", "a.csv"], [], [], ["a.csv"]),
    (["-", "-c", "list"], ["-"], [], []),
    (["a.csv", "-"], ["a.csv"], ["-"], []),
    (["a.csv", "s.ds", "t.ds", "u.csv"], ["a.csv"], ["s.ds", "t.ds"], ["u.csv"]),
    (["s.ds", "a.csv"], [], ["s.ds"], ["a.csv"]),
    (
      ["https://example.test/a.ds?x", "postgres://h/d"],
      ["https://example.test/a.ds?x", "postgres://h/d"], [], []
    ),
  ])
  func wordsHaveRoles(
    words: [String], data: [String], scripts: [String], arguments: [String]
  ) throws {
    let invocation = try Invocation(words)
    #expect(invocation.data == data)
    #expect(invocation.scripts == scripts)
    #expect(invocation.arguments == arguments)
  }

  @Test func aFileThatBeginsWithAHashBangIsAScript() throws {
    let script = try folder.write("commands", "#!/usr/bin/env dsshell\nprint args\n")
    #expect(try dsshell(script, "a.csv").output == "[\"a.csv\"]\n")
    #expect(try Invocation([foods]).data == [foods])
  }

  @Test func commandsRunOverData() throws {
    let result = try dsshell(foods, "-c", "count foods; print args", "a")
    #expect(result.output == "2\n[\"a\"]\n")
    #expect(result.errors == Self.report && result.status == 0)
  }

  @Test(arguments: [[], ["-"]]) func pipedCommandsRunOverData(words: [String]) throws {
    let result =
      words.isEmpty
      ? try dsshell(foods, input: "count foods\n") : try dsshell(foods, "-", input: "count foods\n")
    #expect(result.output == "2\n" && result.errors == Self.report)
  }

  @Test func scriptsRunOverData() throws {
    let script = try folder.write("report.ds", "load other.csv\ncount other\n")
    try folder.write("other.csv", "a\n1\n")
    let result = try dsshell(foods, script)
    #expect(result.output.hasSuffix("\n1\n") && result.status == 0)
    #expect(result.errors == Self.report)
  }

  @Test func standardInputIsDataForCommands() throws {
    let result = try dsshell("-", "-c", "count stdin", input: "a\n1\n2\n")
    #expect(result.output == "2\n")
  }

  @Test func programsReadTheReportFromStandardError() throws {
    let result = try dsshell("--output", "json", foods, "-c", "count foods")
    #expect(result.output == "2\n")
    #expect(result.errors.hasPrefix("{\"source\":\"foods\","))
  }

  @Test func filesOfTheSameNameHaveNumbers() throws {
    let folder = try TemporaryFolder()
    let other = try folder.write("foods.json", "[{\"a\": 1}]")
    let result = try dsshell(
      foods, other, foods, "-c", "print [(count foods), (count foods2), (count foods3)]")
    #expect(result.output == "[2, 1, 2]\n")
  }

  @Test func pathsMayHaveSpacesQuotesAndBrackets() throws {
    for name in ["my foods.csv", "it's \"it\" [1].csv", "größe, {x} | y; z.csv", "$a.csv"] {
      let file = try folder.write(name, "a\n1\n")
      let result = try dsshell(file, "-c", "count; print 7")
      #expect(result.output.hasSuffix("7\n") || result.errors.contains("count needs"), "\(name)")
      #expect(result.errors.contains(": 1 object, "), "\(name): \(result.errors)")
    }
  }

  @Test func aFolderAndAPatternAreLoaded() throws {
    try folder.write("more.csv", "name,kind\nTea,drink\n")
    let all = try dsshell(folder.path, "-c", "list")
    #expect(all.status == 0 && all.errors.contains("3 objects"))
    let some = try dsshell(folder.path + "/f*.csv", "-c", "list")
    #expect(some.status == 0 && some.errors.contains("2 objects"))
    let none = try dsshell(folder.path + "/x*.csv", "-c", "list")
    #expect(none.status == 1 && none.errors.contains("no file matches") && none.output == "")
  }

  @Test func aMissingFileIsBadUsage() throws {
    let result = try dsshell(folder.path + "/fods.csv", "-c", "print 1")
    #expect(result.status == 2 && result.output == "")
    #expect(result.errors.contains("No such file or directory; did you mean `\(foods)`?"))
    let typed = try dsshell("count foods")
    #expect(
      typed.errors.contains(
        "`count foods` is not a file; `dsshell -c 'count foods'` runs a command"))
    let command = try dsshell("count", foods)
    #expect(command.status == 2)
    #expect(
      command.errors.contains("`count` is not a file; `dsshell -c 'count …'` runs a command"))
  }

  @Test func aFileThatCannotBeReadEndsTheRun() throws {
    let broken = try folder.write("broken.json", "{")
    let result = try dsshell(broken, "-c", "print 1")
    #expect(result.status == 1 && result.output == "")
    #expect(try dsshell("--keep-going", broken, "-c", "print 1").output == "1\n")
  }

  @Test func databasesAreOpened() throws {
    let shop = folder.path + "/shop.sqlite"
    let saved = try dsshell(
      "-c", "let shop = open \(shop) write: true; save (simple [{id: 1}]) shop.people")
    #expect(saved.status == 0)
    let result = try dsshell(shop, foods, "-c", "count shop.people; count foods")
    #expect(result.output == "1\n2\n")
    #expect(result.errors.hasPrefix("shop: SQLite, 1 table\n"))
  }

  @Test func urlsAreFetched() throws {
    let server = try FaultServer()
    defer { server.stop() }
    let result = try dsshell("\(server.url)/slow?milliseconds=1", "-c", "print slow.kind")
    #expect(result.output == "remote\n" && result.status == 0)
    #expect(result.errors.hasPrefix("slow: 1 section, 0 objects, "))
  }

  @Test func ctrlCEndsALoadAndThePromptOpens() throws {
    let fifo = folder.path + "/slow.csv"
    try #require(mkfifo(fifo, 0o600) == 0)
    let session = try TerminalSession(
      [fifo, foods], environment: ["HOME": folder.path, "NO_COLOR": "1"], width: 200)
    try session.expect("Ctrl-D quits.\r\n")
    // The open succeeds once there is a writer; the read then waits for bytes that never come.
    let writer = open(fifo, O_WRONLY | O_CLOEXEC)
    defer { close(writer) }
    session.type("\u{3}")
    try session.expect("canceled; nothing was bound")
    try session.expect("foods: 2 objects")
    try session.expect("ds> ")
    try session.run("print 2", shows: "\r\n2\r\n")
  }

  @Test func thePromptOpensOverData() throws {
    let broken = try folder.write("broken.json", "{")
    let session = try TerminalSession(
      [broken, foods], environment: ["HOME": folder.path, "NO_COLOR": "1"])
    try session.expect("quits.\r\n")
    // A file that cannot be read is reported, and the others are loaded.
    try session.expect("error:")
    try session.expect("foods: 2 objects")
    try session.expect("ds> ")
    try session.run("count", shows: "\r\n2\r\n")
    session.type("\u{4}")
    #expect(try session.end().status == 0)
  }
}
