import DataTables
import Foundation
import Glibc
import TestServer
import TestSupport
import Testing

/// Commands that write are killed at random moments: the file has its old content or the new one, and
/// the next run removes what is left beside it.
///
/// `DSSHELL_KILLS=1000` kills each command as often.
@Suite struct CrashLoopTests {
  struct Work: Sendable, CustomTestStringConvertible {
    let name: String
    /// `SERVER` is the address of a server.
    let arguments: [String]
    /// The file that the command writes.
    let file: String
    /// Commands that make the file as it is before; nil for no file.
    var before: String?
    let contents: Contents
    var testDescription: String { name }
  }

  /// The contents that a file may have after a kill.
  enum Contents {
    /// All of its old bytes or all of the new ones.
    case oldOrNew
    /// Whole commands, whole exchanges, or whole lines of JSON.
    case commands, exchanges, lines
    /// A table with one of these numbers of rows, or none.
    case rows([Int])
  }

  private static let load = "let s = load data.csv; "
  private static let numbers = (0..<40)

  static let works = [
    Work(
      name: "edit",
      arguments: ["-c", load + "update s where: id < 5000 name: \"a new name\"; save s"],
      file: "data.csv", before: "", contents: .oldOrNew),
    Work(
      name: "update", arguments: ["test", "--update", "test.ds"], file: "test.ds", before: "",
      contents: .oldOrNew),
    Work(
      name: "table", arguments: ["-c", load + "save s out.sqlite table: t overwrite: true"],
      file: "out.sqlite", contents: .rows([5_000])),
    Work(
      name: "statements",
      arguments: [
        "-c",
        "let d = open out.sqlite write: true; exec d \"DELETE FROM t WHERE id >= 3000\"; "
          + "exec d \"UPDATE t SET name = name || name\"; exec d \"DELETE FROM t WHERE id >= 1000\"",
      ], file: "out.sqlite", before: load + "save s out.sqlite table: t",
      contents: .rows([5_000, 3_000, 1_000])),
    Work(
      name: "record",
      arguments: [
        "-c", "record new.ds\n" + numbers.map { "print \($0)\n" }.joined() + "record off",
      ],
      file: "new.ds", contents: .commands),
    Work(
      name: "cassette",
      arguments: [
        "-c",
        "cassette new.cassette\n"
          + numbers.map { _ in "fetch (remote SERVER/raw?json)\n" }.joined(),
      ], file: "new.cassette", contents: .exchanges),
    Work(
      name: "cache",
      arguments: [
        "-c",
        "let d = open d.sqlite; fetchedResults d.t sort: name, id section: name cache: c | fetch",
      ], file: "cache/dsshell/sections/c.sections", contents: .lines),
  ]

  private static let kills =
    ProcessInfo.processInfo.environment["DSSHELL_KILLS"].flatMap { Int($0) } ?? 10

  @Test(arguments: works) func aKilledCommandLeavesTheOldFileOrTheNewOne(work: Work) async throws {
    try await FaultServer.run { server in
      let place = try Place(work, server.url)
      let start = ContinuousClock.now
      let expected = try place.start().wait()
      let time = Int((ContinuousClock.now - start) / .microseconds(1))
      #expect(expected == 0)
      let new = try place.bytes(work.file)
      #expect(new != place.old)
      var random = SplitMix64(seed: UInt64(time))
      for kill in 0..<Self.kills {
        try place.reset()
        let process = try place.start()
        usleep(UInt32(random.below(time)))
        process.send(SIGKILL)
        let status = process.wait()
        #expect(status == -SIGKILL || status == expected)
        try check(place, new, Comment(rawValue: "kill \(kill), seed \(time)"))
      }
      try place.reset()
      #expect(try place.start().wait() == expected)
      #expect(try place.names() == place.namesBefore.union([work.file]))
    }
  }

  /// The history has whole entries, in order, and the next prompt reads them.
  @Test func aKilledPromptLeavesAHistoryOfWholeEntries() throws {
    let folder = try TemporaryFolder()
    let entries = (0..<20).map { "print \"entry \($0)\"" }
    var random = SplitMix64(seed: 1)
    for kill in 0..<Self.kills {
      unlink(folder.path + "/state/history")
      let session = try TerminalSession.prompt(in: folder, [], ["XDG_CACHE_HOME": folder.path])
      session.type(entries.map { $0 + "\r" }.joined())
      usleep(UInt32(random.below(60_000)))
      session.send(SIGKILL)
      #expect(try session.end().status == -SIGKILL)
      let text = (try? folder.read("state/history")) ?? ""
      #expect(
        entries.map { $0 + "\n" }.joined().hasPrefix(text)
          && (text.isEmpty || text.hasSuffix("\n")),
        "kill \(kill): \(text)")
    }
    let session = try TerminalSession.prompt(in: folder, [], ["XDG_CACHE_HOME": folder.path])
    try session.run("print \"last\"", shows: "last\r\n")
    #expect(try folder.read("state/history").hasSuffix("print \"last\"\n"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state") == ["history"])
  }

  private func check(_ place: Place, _ new: [UInt8], _ comment: Comment) throws {
    let work = place.work
    let path = place.folder.path + "/" + work.file
    guard access(path, F_OK) == 0 else {
      #expect(work.before == nil, comment)
      return
    }
    switch work.contents {
    case .oldOrNew:
      let found = try place.bytes(work.file)
      #expect(found == new || found == place.old, comment)
    case .rows(let counts):
      // Also recovers what SQLite left unfinished.
      let count = try dsshell("-c", "let d = open \(path)\ncount d.t")
      let isWhole = count.status == 0 && counts.contains { count.output.hasSuffix("\n\($0)\n") }
      if isWhole || work.before == nil && count.errors.contains("no table") { return }
      #expect(count.errors.contains("was interrupted"), "\(comment) \(count)")
      let restored = try dsshell("-c", "let d = open \(path) write: true\ncount d.t")
      #expect(
        counts.contains { restored.output.hasSuffix("\n\($0)\n") }
          || work.before == nil && restored.errors.contains("no table"), "\(comment) \(restored)")
    case .commands:
      let check = try dsshell("test", "--check-only", path)
      #expect(check.status != 3, "\(comment) \(check.output)")
    case .exchanges:
      let replay = try dsshell("-c", "cassette \(path) mode: replay")
      #expect(replay.status == 0, "\(comment) \(replay.errors)")
    case .lines:
      let lines = try place.folder.read(work.file).split(separator: "\n").map(String.init)
      #expect(lines.count == 4, comment)
      for line in lines { _ = try Value(json: line) }
    }
  }

  /// A folder with the files of a work.
  private struct Place {
    let work: Work
    let folder: TemporaryFolder
    /// For the folders that killed runs of tests leave.
    private let temporary: TemporaryFolder
    let server: String
    /// The bytes of the file before; nil for no file.
    private(set) var old: [UInt8]?
    private(set) var namesBefore: Set<String> = []

    init(_ work: Work, _ server: String) throws {
      (self.work, self.server) = (work, server)
      folder = try TemporaryFolder()
      temporary = try TemporaryFolder()
      let rows = "id,name\n" + (0..<5_000).map { "\($0),old \($0)\n" }.joined()
      try folder.write("data.csv", rows)
      try folder.write("test.ds", String(repeating: "print 1\n#| 2\n", count: 100))
      try run(CrashLoopTests.load + "save s d.sqlite table: t")
      if let before = work.before {
        try run(before)
        old = try bytes(work.file)
      }
      // The state of a table that has just changed is not cached.
      if case .lines = work.contents { sleep(1) }
      namesBefore = try names()
    }

    private func run(_ commands: String) throws {
      let result = try finish(
        program: "/usr/bin/env", ["-C", folder.path, ShellProcess.binary, "-c", commands])
      try #require(result.status == 0, "\(result.errors)")
    }

    func start() throws -> ShellProcess {
      try ShellProcess(
        program: "/usr/bin/env",
        ["-C", folder.path, try ShellProcess.binary]
          + work.arguments.map { $0.replacingOccurrences(of: "SERVER", with: server) },
        environment: ["XDG_CACHE_HOME": folder.path + "/cache", "TMPDIR": temporary.path],
        streams: [
          .file("/dev/null", flags: O_RDONLY), .file("/dev/null", flags: O_WRONLY),
          .file("/dev/null", flags: O_WRONLY),
        ])
    }

    /// Restores the file; what a killed run left beside it stays.
    func reset() throws {
      unlink(folder.path + "/" + work.file)
      if let old { _ = try folder.write(work.file, old) }
    }

    func bytes(_ name: String) throws -> [UInt8] {
      Array(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name)))
    }

    /// The files of the folder, without those that a folder of caches needs.
    func names() throws -> Set<String> {
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      return Set(
        names.filter {
          work.file.hasPrefix("cache") ? !work.file.hasPrefix($0 + "/") : !$0.hasPrefix("cache")
        })
    }
  }
}
