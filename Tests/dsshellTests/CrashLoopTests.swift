import Foundation
import Glibc
import TestSupport
import Testing

/// Commands that write are killed at random moments: the file has its old content or the new one, and
/// the next run removes what is left beside it.
///
/// `DSSHELL_KILLS=1000` kills each command as often.
@Suite struct CrashLoopTests {
  struct Work: Sendable, CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    let file: String
    /// The content before the command; nil for no file.
    let old: String?
    var testDescription: String { name }
  }

  private static let rows = "id,name\n" + (0..<5_000).map { "\($0),old \($0)\n" }.joined()
  private static let edit =
    "let s = load data.csv; update s where: id < 5000 name: \"a new name\"; save s"
  private static let table = "let s = load data.csv; save s out.sqlite table: t overwrite: true"
  private static let recording =
    "record new.ds\n" + (0..<40).map { "print \($0)\n" }.joined() + "record off"

  static let works = [
    Work(name: "edit", arguments: ["-c", edit], file: "data.csv", old: rows),
    Work(
      name: "update", arguments: ["test", "--update", "test.ds"], file: "test.ds",
      old: String(repeating: "print 1\n#| 2\n", count: 100)),
    Work(name: "table", arguments: ["-c", table], file: "out.sqlite", old: nil),
    Work(name: "record", arguments: ["-c", recording], file: "new.ds", old: nil),
  ]

  private static let kills =
    ProcessInfo.processInfo.environment["DSSHELL_KILLS"].flatMap { Int($0) } ?? 10

  @Test(arguments: works) func aKilledCommandLeavesTheOldFileOrTheNewOne(work: Work) throws {
    let folder = try TemporaryFolder()
    let start = ContinuousClock.now
    try reset(folder, work)
    let process = try self.start(work, in: folder)
    let expected = process.wait()
    let time = Int((ContinuousClock.now - start) / .microseconds(1))
    let new = try folder.bytes(work.file)
    var random = SplitMix64(seed: UInt64(time))
    for kill in 0..<Self.kills {
      try reset(folder, work)
      let process = try self.start(work, in: folder)
      usleep(UInt32(random.below(time)))
      process.send(SIGKILL)
      let status = process.wait()
      #expect(status == -SIGKILL || status == expected)
      try check(folder, work, new, Comment(rawValue: "kill \(kill)"))
    }
    try reset(folder, work)
    #expect(try self.start(work, in: folder).wait() == expected)
    let names = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    #expect(names.isSubset(of: [work.file, "data.csv"]), "\(names)")
  }

  private func reset(_ folder: TemporaryFolder, _ work: Work) throws {
    try folder.write("data.csv", Self.rows)
    unlink(folder.path + "/" + work.file)
    if let old = work.old { try folder.write(work.file, old) }
  }

  private func start(_ work: Work, in folder: TemporaryFolder) throws -> ShellProcess {
    try ShellProcess(
      program: "/usr/bin/env",
      ["-C", folder.path, try ShellProcess.binary] + work.arguments, environment: [:],
      streams: [
        .file("/dev/null", flags: O_RDONLY), .file("/dev/null", flags: O_WRONLY),
        .file("/dev/null", flags: O_WRONLY),
      ])
  }

  private func check(
    _ folder: TemporaryFolder, _ work: Work, _ new: [UInt8], _ place: Comment
  ) throws {
    let path = folder.path + "/" + work.file
    guard access(path, F_OK) == 0 else {
      #expect(work.old == nil, place)
      return
    }
    switch work.name {
    case "table":
      // Also recovers what SQLite left unfinished.
      let count = try dsshell("-c", "let d = open \(path)\ncount d.t")
      let isWhole = count.status == 0 && count.output.hasSuffix("5000\n")
      if isWhole || count.errors.contains("no table") { return }
      #expect(count.errors.contains("was interrupted"), "\(place) \(count.errors)")
      let restored = try dsshell("-c", "let d = open \(path) write: true\ntables d")
      #expect(restored.status == 0, "\(place) \(restored.errors)")
    case "record":
      // Each command is whole.
      let check = try dsshell("test", "--check-only", path)
      #expect(check.status != 3 || access(path, R_OK) != 0, "\(place) \(check.output)")
    default:
      let found = try folder.bytes(work.file)
      #expect(found == new || found == Array((work.old ?? "").utf8), place)
    }
  }
}

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
    let processes = try start(count, folder) { _ in
      [
        "-c",
        "let d = open d.sqlite; let s = sectioned d.t key: name sort: name; fetch s; "
          + "expect s.numberOfSections == 7; expect (count s) == 3000",
      ]
    }
    for process in processes { #expect(process.wait() == 0) }
  }
}

extension TemporaryFolder {
  fileprivate func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
  }
}
