import Foundation
import Glibc
import Testing

/// `--safe`: every command that would leave the folder of the script fails with `denied`.
@Suite struct SafeModeTests {
  private let outer: TemporaryFolder
  private let inner: String

  /// A folder with data and a folder for the script, which has data and links to files outside.
  init() throws {
    outer = try TemporaryFolder()
    inner = outer.path + "/inner"
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
    try outer.write("outside.csv", "name\nOut\n")
    try outer.write("outside.ds", "let other = 7\n")
    try outer.write("inner/inside.csv", "name\nIn\n")
    try outer.write("inner/helper.ds", "let helped = 5\n")
    try outer.write("inner/page.json", "[{\"name\": \"Stub\"}]")
    for (name, target) in [("link.csv", "../outside.csv"), ("nowhere.csv", "../new.csv")] {
      try #require(symlink(target, inner + "/" + name) == 0)
    }
    for path in ["inner/shop.sqlite", "outside.sqlite"] {
      _ = try outer.write(path, try database())
    }
  }

  /// A file of SQLite with the table `t`, made by the program itself.
  private func database() throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = folder.path + "/new.sqlite"
    let result = try dsshell(
      "-c", "let rows = simple [{a: 1}]; save rows \(path) table: t")
    try #require(result.status == 0, "\(result.errors)")
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func run(_ script: String, _ options: String...) throws -> ShellResult {
    let path = try outer.write("inner/script.ds", script)
    return try run(words: options + ["--safe", path])
  }

  private func run(
    words: [String], program: String? = nil, in folder: String? = nil
  ) throws -> ShellResult {
    let words = try folder.map { ["-C", $0, try ShellProcess.binary] + words } ?? words
    return try finish(
      program: folder == nil ? program : "/usr/bin/env", words,
      environment: ["TOKEN": "secret value", "XDG_CACHE_HOME": outer.path + "/cache"])
  }

  /// The names of all files and folders in the outer folder.
  private var files: [String] {
    (FileManager.default.enumerator(atPath: outer.path)?.compactMap { $0 as? String } ?? []).filter
    {
      $0 != "inner/script.ds"
    }.sorted()
  }

  @Test func filesOfTheFolderAreRead() throws {
    let result = try run(
      """
      let s = load inside.csv
      objects s
      let all = load "ins*.csv"
      count all
      source helper.ds
      print helped
      stub http://example.test/page page.json
      let r = remote http://example.test/page
      fetch r
      objects r
      let shop = open shop.sqlite
      count shop.t
      let f = remote file:inside.csv
      fetch f
      """)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("In") && result.output.contains("Stub"))
    #expect(result.output.contains("5"))
  }

  @Test(arguments: [
    "load ../outside.csv", "load link.csv", "load ../inner/../outside.csv", "load /etc/passwd",
    "load /proc/self/environ", "load ..", "load \"../out*.csv\"", "load \"*.csv\"",
    "load ../missing.csv", "load nowhere.csv", "load ../missing/../outside.csv",
    "let f = remote file:../outside.csv; fetch f",
    "let f = remote file:///etc/passwd; fetch f",
    "stub http://example.test/a ../outside.csv", "stub http://example.test/a /etc",
    "open ../outside.sqlite", "open shop.sqlite attach: {o: ../outside.sqlite}",
    "cassette ../tape.cassette", "source ../outside.ds",
  ])
  func otherFilesAreNotRead(command: String) throws {
    let result = try run(command)
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    #expect(result.errors.contains("`--safe`"), "\(result.errors)")
    #expect(!result.output.contains("Out"))
    // The kind of the error, which the last command raises.
    var commands = command.components(separatedBy: "; ")
    let last = commands.removeLast()
    commands.append("expect throws denied: \(last)")
    let kind = try run(commands.joined(separator: "\n"))
    #expect(kind.status == 0, "\(kind.errors)")
  }

  @Test(arguments: [
    "let s = simple [{a: 1}]; save s new.csv", "let s = simple [{a: 1}]; save s nowhere.csv",
    "let s = simple [{a: 1}]; save s inside.csv overwrite: true",
    "let s = simple [{a: 1}]; save s new.sqlite table: t",
    "let s = simple [{a: 1}]; save s shop.sqlite table: u", "open shop.sqlite write: true",
    "open new.sqlite write: true", "record new.ds", "cassette new.cassette",
    "cassette new.cassette mode: record", "let s = simple [{a: 1}]; code s swift new.swift",
    "let s = simple [{a: 1}]; tree s as: svg new.svg", "lessons site new",
    "let s = load inside.csv; insert s {name: X}; save s",
  ])
  func nothingIsWritten(command: String) throws {
    let before = files
    let result = try run(command)
    #expect(result.status == 1, "\(result.output)")
    #expect(result.errors.contains("`--safe`"), "\(result.errors)")
    #expect(files == before)
    #expect(try outer.read("inner/inside.csv") == "name\nIn\n")
  }

  @Test(arguments: [
    "let r = remote http://127.0.0.1:9/; fetch r", "open postgres://127.0.0.1/a",
    "open clickhouse://127.0.0.1/a", "let s = load inside.csv; serve s",
    "let r = remote http://127.0.0.1:9/ headers: {A: env TOKEN}; fetch r",
    "open env TOKEN", "open shop.sqlite password: env TOKEN",
  ])
  func nothingOutsideIsReached(command: String) throws {
    let result = try run(command)
    #expect(result.status == 1, "\(result.output)")
    #expect(result.errors.contains("`--safe`"), "\(result.errors)")
    #expect(!(result.output + result.errors).contains("secret value"))
  }

  /// SQLite skips a byte order mark, and an accent does not change what a comment is.
  @Test(arguments: ["", "\u{FEFF}", "/*\u{301} */", "--\u{301}\n"])
  func statementsOpenNoOtherFile(lead: String) throws {
    let statement = "\(lead)ATTACH '\(outer.path)/outside.sqlite' AS o"
    let json = String(decoding: try JSONEncoder().encode(statement), as: UTF8.self)
      .replacingOccurrences(of: "\\/", with: "/")
    let result = try run("let shop = open shop.sqlite\nexec shop \(json)")
    #expect(result.status == 1, "\(result.output)")
    #expect(result.errors.contains("`--safe` allows no statement that opens"), "\(result.errors)")
  }

  @Test(arguments: [
    "select fts3_tokenizer('simple')", "select FTS3_TOKENIZER('simple', x'4142434445464748')",
    "pragma temp_store_directory = '/tmp'",
  ])
  func dangerousStatementsAreRefusedAlsoWithoutTheOption(statement: String) throws {
    let path = try outer.write(
      "inner/script.ds", "let shop = open shop.sqlite\nexec shop \"\(statement)\"")
    for options in [[], ["--safe"]] {
      let result = try run(words: options + [path])
      #expect(result.status == 1 && result.errors.contains("replace"), "\(result.errors)")
    }
  }

  /// SQLite would read the name as a URI, with another file.
  @Test func namesThatLookLikeURIsAreFiles() throws {
    let folder = inner + "/file:.."
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = try outer.write("inner/file:../outside.sqlite", try database())
    for command in [
      "let o = open \"file:../outside.sqlite\"; count o.t",
      "let s = open shop.sqlite attach: {o: \"file:../outside.sqlite\"}; count s.o.t",
    ] {
      // With relative paths, as at the prompt.
      let result = try run(words: ["--safe", "-c", command], in: inner)
      #expect(result.status == 0 && result.output.hasSuffix("1\n"), "\(result.errors)")
    }
  }

  @Test func aRemovedFolderAllowsNothing() throws {
    let path = inner + "/gone"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let result = try run(
      words: [
        "-c", "cd \"$1\" && rmdir \"$1\" && exec \"$0\" --safe -c 'load /etc/passwd format: csv'",
        try ShellProcess.binary, path,
      ], program: "/bin/sh")
    #expect(result.status == 1 && result.errors.contains("`--safe`"), "\(result.errors)")
  }

  @Test func standardInputIsRead() throws {
    let result = try dsshell("--safe", "-c", "let s = load - format: csv; count s", input: "a\n1\n")
    #expect(result.status == 0 && result.output.hasSuffix("1\n"), "\(result.errors)")
  }

  @Test func theHomeFolderIsHidden() throws {
    let result = try run("load ~/x.csv")
    #expect(result.status == 1 && !result.errors.contains("/proc/nonexistent"), "\(result.errors)")
  }

  @Test func filesOnTheCommandLineAreRead() throws {
    let path = try outer.write("inner/script.ds", "count outside; load ../outside.ds format: csv")
    let result = try run(words: ["--safe", outer.path + "/outside.csv", path])
    #expect(result.status == 1)
    #expect(result.output == "1\n", "\(result.errors)")
    #expect(result.errors.contains("outside.ds` cannot be read"))
    let pattern = try run(words: ["--safe", outer.path + "/out*.csv", "-c", "print 1"])
    #expect(pattern.status == 0 && pattern.errors.contains("1 CSV file"), "\(pattern.errors)")
  }

  @Test func replayedRequestsNeedNoSecret() throws {
    let result = try run(
      """
      stub http://example.test/page page.json
      let r = remote http://example.test/page headers: {Authorization: env TOKEN}
      fetch r
      """)
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test func theRestrictionsLastInBackgroundFetchesAndDefinitions() throws {
    let result = try run(
      """
      def leave path { load $path }
      leave ../outside.csv
      """)
    #expect(result.errors.contains("cannot be read"), "\(result.errors)")
    let background = try run(
      """
      let f = remote file:../outside.csv
      fetch f &
      wait f
      expect (status f) == failed
      """)
    #expect(!background.output.contains("1 object"), "\(background.output)")
  }

  @Test func tests() throws {
    try outer.write("inner/safe.ds", "expect throws denied: load ../outside.csv\n")
    try outer.write("outer.ds", "load outside.csv\nexpect (count outside) == 1\n")
    let result = try run(words: ["test", "--safe", inner + "/safe.ds", outer.path + "/outer.ds"])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    // Nor by a run over tables of the program's own.
    try outer.write(
      "inner/matrix.ds", "#% matrix sqlite\nlet s = simple [{a: 1}]\nexpect (count s) == 2\n")
    let matrix = try run(words: ["test", "--safe", inner + "/matrix.ds"])
    #expect(matrix.status == 1 && matrix.output.contains("FAIL"), "\(matrix.output)")
    for line in [
      "before ../outside.ds", "each f in ../outside.csv", "cassette ../outside.cassette",
    ] {
      try outer.write("inner/line.ds", "#% \(line)\nprint 1\n")
      let refused = try run(words: ["test", "--safe", inner + "/line.ds"])
      #expect(refused.status != 0, "\(line): \(refused.output)")
      #expect((refused.output + refused.errors).contains("`--safe`"), "\(refused.output)")
    }
    #expect(!files.contains { $0.contains("failed-") })
    let update = try run(words: ["test", "--safe", "--update", inner + "/safe.ds"])
    #expect(update.status == 2 && update.errors.contains("omit --update"), "\(update.errors)")
  }
}
