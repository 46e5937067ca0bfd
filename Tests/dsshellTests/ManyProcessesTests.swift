import Foundation
import Glibc
import TestServer
import Testing

/// Several processes that use the same files.
@Suite struct ManyProcessesTests {
  private func start(
    _ count: Int, _ folder: TemporaryFolder, _ arguments: (Int) -> [String]
  ) throws -> [ShellProcess] {
    try (0..<count).map { number in
      try ShellProcess(
        program: "/usr/bin/env",
        ["-C", folder.path, try ShellProcess.binary] + arguments(number),
        environment: ["XDG_CACHE_HOME": folder.path + "/cache"],
        streams: [
          .file("/dev/null", flags: O_RDONLY), .file("/dev/null", flags: O_WRONLY),
          .file("/dev/null", flags: O_WRONLY),
        ])
    }
  }

  @Test(arguments: [2, 10]) func savesOfOneFileAreWhole(count: Int) throws {
    let folder = try TemporaryFolder()
    let processes = try start(count, folder) { number in
      let rows = "for i in [1, 2, 3, 4, 5, 6, 7, 8] { save s all.csv overwrite: true }"
      return ["-c", "let s = simple [{process: \(number)}, {process: \(number)}]; \(rows)"]
    }
    // A file that another process replaces meanwhile is a conflict.
    for process in processes { #expect((0...1).contains(process.wait())) }
    let lines = try folder.read("all.csv").split(separator: "\n")
    #expect(lines.count == 3 && lines[0] == "process" && lines[1] == lines[2])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["all.csv"])
  }

  @Test(arguments: [2, 10]) func updatesOfOneSuiteWriteTheSame(count: Int) throws {
    let folder = try TemporaryFolder()
    for number in 0..<4 { try folder.write("\(number).ds", "print \(number)\n#| x\n") }
    let processes = try start(count, folder) { _ in ["test", "--update", "."] }
    // A script that another process updates is left to it.
    for process in processes { #expect((0...1).contains(process.wait())) }
    for number in 0..<4 {
      #expect(try folder.read("\(number).ds") == "print \(number)\n#| \(number)\n")
    }
  }

  @Test(arguments: [2, 10]) func oneDatabaseAndItsCacheServeAll(count: Int) throws {
    let folder = try TemporaryFolder()
    try folder.write("rows.csv", "id,name\n" + (0..<3_000).map { "\($0),n\($0 % 7)\n" }.joined())
    let made = try dsshell(
      "-c", "let s = load \(folder.path)/rows.csv; save s \(folder.path)/d.sqlite table: t")
    try #require(made.status == 0, "\(made.errors)")
    // The state of a table that has just changed is not cached.
    usleep(100_000)
    let processes = try start(count, folder) { _ in
      [
        "-c",
        "let d = open d.sqlite; let s = sectioned d.t key: name sort: name; fetch s; "
          + "expect s.numberOfSections == 7; expect (count s) == 3000; "
          + "let f = fetchedResults d.t sort: name, id section: name cache: c | fetch; "
          + "expect f.numberOfSections == 7; expect (count f) == 3000",
      ]
    }
    for process in processes { #expect(process.wait() == 0) }
    #expect(try folder.read("cache/dsshell/sections/c.sections").hasPrefix(#"{"cache":"c""#))
  }

  @Test(arguments: [2, 10]) func promptsShareOneHistory(count: Int) throws {
    let folder = try TemporaryFolder()
    let sessions = try (0..<count).map { _ in try TerminalSession.prompt(in: folder) }
    func entry(_ session: Int, _ number: Int) -> String { "print [\(session), \(number)]" }
    for number in 0..<10 {
      for (index, session) in sessions.enumerated() { session.type(entry(index, number) + "\r") }
    }
    for (index, session) in sessions.enumerated() {
      try session.expect("\r\n[\(index), 9]\r\n")
      session.type("quit\r")
      #expect(try session.end().status == 0)
    }
    let lines = try folder.read("state/history").split(separator: "\n").map(String.init)
    #expect(lines.count == count * 11)
    for index in 0..<count {
      let own = lines.filter { $0.hasPrefix("print [\(index), ") }
      #expect(own == (0..<10).map { entry(index, $0) })
    }
  }

  /// One of them records its exchanges; the others fail when they find that the file has changed.
  @Test(arguments: [2, 10]) func oneCassetteIsRecordedByOne(count: Int) async throws {
    try await FaultServer.run { server in
      let folder = try TemporaryFolder()
      let fetch = "fetch (remote \(server.url)/raw?json)\n"
      let processes = try start(count, folder) { _ in
        ["-c", "cassette c.cassette mode: record\n" + String(repeating: fetch, count: 8)]
      }
      let statuses = processes.map { $0.wait() }
      #expect(statuses.allSatisfy { (0...1).contains($0) } && statuses.contains(0), "\(statuses)")
      let replay = try dsshell("-c", "cassette \(folder.path)/c.cassette mode: replay")
      // All exchanges of one recording.
      #expect(replay.output.contains("replays 8 exchanges"), "\(replay)")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names == ["c.cassette"])
    }
  }
}
