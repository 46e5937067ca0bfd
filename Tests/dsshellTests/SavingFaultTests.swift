import Foundation
import Glibc
import TestSupport
import Testing

/// Saves that fail: the old file stays whole, nothing is left beside it, and the error has the reason.
struct SavingFaultTests {
  private static let old = "id,name\n1,old\n2,two\n"

  /// Runs commands and expects an error.
  private func expectFailure(
    _ commands: String, _ message: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    let result = try dsshell("-c", commands)
    #expect(result.status == 1, sourceLocation: location)
    #expect(result.errors.contains(message), "\(result.errors)", sourceLocation: location)
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  // MARK: Targets

  @Test func onlyRegularFilesAreReplaced() throws {
    let folder = try TemporaryFolder()
    let source = try folder.write("a.csv", Self.old)
    mkdir(folder.path + "/folder.csv", 0o755)
    mkfifo(folder.path + "/pipe.csv", 0o600)
    for (target, message) in [
      ("/folder.csv", "is a folder"), ("/pipe.csv", "is a named pipe, not a regular file"),
      ("/missing/b.csv", "No such file or directory"), ("/a.csv/b.csv", "Not a directory"),
    ] {
      try expectFailure(
        "let a = load \(source); save a \(folder.path)\(target) overwrite: true", message)
    }
    try expectFailure(
      "let a = load \(source); save a /dev/null format: csv overwrite: true",
      "is a character device, not a regular file")
    #expect(try names(in: folder.path) == ["a.csv", "folder.csv", "pipe.csv"])
    #expect(try folder.read("a.csv") == Self.old)
  }

  @Test func aSymbolicLinkStaysAndItsFileIsWritten() throws {
    let folder = try TemporaryFolder()
    try folder.write("real.csv", Self.old)
    mkdir(folder.path + "/links", 0o755)
    let link = folder.path + "/links/link.csv"
    symlink("../real.csv", link)
    chmod(folder.path + "/real.csv", 0o640)
    let edit = "let a = load \(link); update a [0, 0] name: new"
    let saved = try dsshell("-c", "\(edit); save a; save a \(link) overwrite: true")
    #expect(saved.status == 0, "\(saved.errors)")
    #expect(try folder.read("real.csv") == Self.old.replacing("old", with: "new"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../real.csv")
    var status = stat()
    #expect(stat(folder.path + "/real.csv", &status) == 0 && status.st_mode & 0o777 == 0o640)

    symlink("new.csv", folder.path + "/links/dangling.csv")
    #expect(
      try dsshell("-c", "load \(link); save link \(folder.path)/links/dangling.csv").status == 0)
    #expect(try folder.read("links/new.csv") == folder.read("real.csv"))
    symlink("loop.csv", folder.path + "/links/loop.csv")
    try expectFailure(
      "load \(link); save link \(folder.path)/links/loop.csv", "Too many levels of symbolic links")
    #expect(
      try names(in: folder.path + "/links") == ["dangling.csv", "link.csv", "loop.csv", "new.csv"])
  }

  @Test func theOutputOfTheShellIsNotReplaced() throws {
    let folder = try TemporaryFolder()
    let source = try folder.write("a.csv", Self.old)
    let output = folder.path + "/output"
    let result = try dsshell(
      [
        "--keep-going", "-c",
        "let a = load \(source); save a /dev/stdout format: csv overwrite: true; print 1",
      ], output: .file(output, flags: O_WRONLY | O_CREAT | O_TRUNC))
    #expect(result.status == 1 && result.errors.contains("`/dev/stdout` is a stream, not a file"))
    #expect(try folder.read("output").hasSuffix("\n1\n"))
  }

  // MARK: Permissions

  @Test(.enabled(if: Unprivileged.isAvailable, "needs another user"))
  func withoutPermissionsNothingIsWritten() throws {
    let folder = try TemporaryFolder()
    chmod(folder.path, 0o755)
    let protected = try folder.write("a.csv", Self.old)
    chmod(protected, 0o444)
    let edit = "let a = load \(protected); update a [0, 0] name: new"
    for save in ["save a", "save a \(protected) overwrite: true", "save a \(folder.path)/b.csv"] {
      chmod(folder.path, save.hasSuffix("b.csv") ? 0o555 : 0o777)
      let errors = try Unprivileged.errors(of: "\(edit); \(save)")
      #expect(errors.contains("cannot write `"), "\(errors)")
      #expect(errors.contains("Permission denied"), "\(errors)")
    }
    chmod(folder.path, 0o755)
    #expect(try names(in: folder.path) == ["a.csv"])
    #expect(try folder.read("a.csv") == Self.old)
  }

  @Test(.enabled(if: getuid() == 0 && Unprivileged.isAvailable, "needs another user and a group"))
  func aMemberOfItsGroupKeepsTheGroupOfAFile() throws {
    let folder = try TemporaryFolder()
    chmod(folder.path, 0o777)
    let path = try folder.write("a.csv", Self.old)
    #expect(chown(path, 0, 1) == 0 && chmod(path, 0o2664) == 0)
    let commands = "let a = load \(path); update a [0, 0] name: new; save a"
    #expect(try Unprivileged.status(of: commands, inGroup: 1) == 0)
    #expect(try folder.read("a.csv") == Self.old.replacing("old", with: "new"))
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_uid != 0 && status.st_gid == 1 && status.st_mode & 0o7777 == 0o664)
  }

  // MARK: Full disks

  @Test(.enabled(if: SmallDisk.isAvailable, "needs the right to mount a disk"))
  func onAFullDiskTheOldFileStays() throws {
    let folder = try TemporaryFolder()
    let rows = (0..<60_000).map { "\($0),name \($0)\n" }.joined()
    let source = try folder.write("a.csv", "id,name\n" + rows)
    let disk = try SmallDisk(folder.path + "/disk", megabytes: 1)
    defer { disk.remove() }
    try folder.write("disk/old.csv", Self.old)
    // With its next version beside it, this file does not fit.
    let large = "id,name\n" + rows.prefix(600_000) + "\n"
    try folder.write("disk/large.csv", large)
    let full = "No space left on device"
    try expectFailure("let a = load \(source); save a \(disk.path)/new.csv", full)
    try expectFailure(
      "let a = load \(source); save a \(disk.path)/old.csv overwrite: true", full)
    try expectFailure(
      "let a = load \(source); save a \(disk.path)/new.json", full)
    try expectFailure(
      "let a = load \(disk.path)/large.csv; update a [0, 0] name: new; save a", full)
    #expect(try names(in: disk.path) == ["large.csv", "old.csv"])
    #expect(try folder.read("disk/old.csv") == Self.old)
    #expect(try folder.read("disk/large.csv") == large)
    // The failure leaves the edits, which can be saved elsewhere.
    let elsewhere = try dsshell(
      "--keep-going", "-c",
      "let a = load \(disk.path)/large.csv; update a [0, 0] name: new; save a; "
        + "save a \(folder.path)/b.csv")
    #expect(elsewhere.errors.contains(full))
    #expect(try folder.read("b.csv").hasPrefix("id,name\n0,new\n1,name 1\n"))
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "needs the right to mount a disk"))
  func onAFullDiskADatabaseStaysOrIsNotMade() throws {
    let folder = try TemporaryFolder()
    // More than SQLite keeps in memory before it writes to the file.
    let rows = (0..<100_000).map { "\($0),a name of some length \($0)\n" }.joined()
    let source = try folder.write("a.csv", "id,name\n" + rows)
    let disk = try SmallDisk(folder.path + "/disk", megabytes: 3)
    defer { disk.remove() }
    let (new, old) = (disk.path + "/new.sqlite", disk.path + "/old.sqlite")
    try expectFailure(
      "let a = load \(source); save a \(new)", "cannot write `\(new)`: the disk is full")
    #expect(try names(in: disk.path) == [])
    #expect(try dsshell("-c", "save (simple [{n: 7}]) \(old) table: t").status == 0)
    try expectFailure(
      "let a = load \(source); save a \(old)", "cannot write `\(old)`: the disk is full")
    #expect(try names(in: disk.path) == ["old.sqlite"])
    let read = try dsshell("--output", "csv", "-c", "let t = load \(old); objects t")
    #expect(read.output == "n\n7\n")
    #expect(try dsshell("-c", "save (simple [{n: 8}]) \(new) table: t").status == 0)
  }

  // MARK: Other programs

  @Test(arguments: ["replaced", "rewritten", "removed", "of equal size"])
  func aFileThatAnotherProgramChangedStays(change: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.csv", Self.old)
    let gate = try Gate(in: folder)
    let shell = try SavingShell(path, name: "new", gate, in: folder)
    try gate.waitForShell()
    let other = "id,name\n3,other\n"
    switch change {
    case "replaced":
      try folder.write("next.csv", other)
      #expect(rename(folder.path + "/next.csv", path) == 0)
    case "rewritten": try Data(other.utf8).write(to: URL(fileURLWithPath: path), options: [])
    case "removed": unlink(path)
    default: try folder.write("a.csv", Self.old.replacing("two", with: "six"))
    }
    let found = try? folder.read("a.csv")
    gate.open()
    #expect(shell.process.wait() == 1)
    let reason = change == "removed" ? "has been removed" : "has changed since it was read"
    #expect(try folder.read(shell.errors).contains(reason))
    #expect((try? folder.read("a.csv")) == found)
    #expect(try names(in: folder.path).allSatisfy { !$0.hasSuffix(".tmp") })
  }

  @Test func oneOfTwoShellsSaves() throws {
    let rows = (2..<3_000).map { "\($0),name \($0)\n" }.joined()
    for _ in 0..<8 {
      let folder = try TemporaryFolder()
      let path = try folder.write("a.csv", "id,name\n1,old\n" + rows)
      let gates = try [Gate(in: folder, "g1"), Gate(in: folder, "g2")]
      let shells = try zip(["one", "two"], gates).map {
        try SavingShell(path, name: $0, $1, in: folder)
      }
      for gate in gates { try gate.waitForShell() }
      for gate in gates { gate.open() }
      let statuses = shells.map { $0.process.wait() }
      #expect(statuses.sorted() == [0, 1])
      let winner = statuses[0] == 0 ? "one" : "two"
      #expect(try folder.read("a.csv") == "id,name\n1,\(winner)\n" + rows)
      let errors = try folder.read(shells[statuses[0] == 0 ? 1 : 0].errors)
      #expect(errors.contains("has changed since it was read"), "\(errors)")
    }
  }

  @Test func aFileOfTwoShellsIsThatOfOne() throws {
    let folder = try TemporaryFolder()
    let contents = ["one", "two"].map { name in
      "id,name\n" + (0..<20_000).map { "\($0),\(name) \($0)\n" }.joined()
    }
    let sources = try zip(["s1.csv", "s2.csv"], contents).map { try folder.write($0, $1) }
    for _ in 0..<6 {
      try folder.write("a.csv", "id,name\n")
      let processes = try sources.map { source in
        try ShellProcess(
          ["-c", "let s = load \(source); save s \(folder.path)/a.csv overwrite: true"],
          environment: [:], streams: (0..<3).map { _ in .file("/dev/null", flags: O_RDWR) })
      }
      let statuses = processes.map { $0.wait() }
      #expect(statuses.contains(0) && statuses.allSatisfy { [0, 1].contains($0) })
      #expect(contents.contains(try folder.read("a.csv")))
    }
  }
}

/// A shell that edits the first row of a file, waits at a gate and saves the file.
private struct SavingShell {
  let process: ShellProcess
  /// The name of the file with the errors.
  let errors: String

  init(_ path: String, name: String, _ gate: Gate, in folder: TemporaryFolder) throws {
    errors = "errors-" + name
    let commands =
      "let a = load \(path); update a [0, 0] name: \(name); "
      + "let g = load \(gate.path) format: csv; save a"
    process = try ShellProcess(
      ["-c", commands], environment: [:],
      streams: [
        .file("/dev/null", flags: O_RDONLY), .file("/dev/null", flags: O_WRONLY),
        .file(folder.path + "/" + errors, flags: O_WRONLY | O_CREAT | O_TRUNC),
      ])
  }
}

/// The shell as a user that may not write the files of the test, which often has the rights of the
/// administrator.
private enum Unprivileged {
  static let isAvailable: Bool = {
    guard let binary = try? ShellProcess.binary else { return false }
    return (try? run([binary, "-c", "print 1"]))?.status == 0
  }()

  static func errors(of commands: String) throws -> String {
    let result = try run([try ShellProcess.binary, "-c", commands])
    #expect(result.status == 1)
    return result.errors
  }

  static func status(of commands: String, inGroup group: gid_t) throws -> Int32 {
    try run([try ShellProcess.binary, "-c", commands], groups: "--groups=\(group)").status
  }

  private static func run(
    _ words: [String], groups: String = "--clear-groups"
  ) throws -> (status: Int32, errors: String) {
    let process = Process()
    let setpriv = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", groups, "--"]
    let all = getuid() == 0 ? setpriv + words : words
    process.executableURL = URL(fileURLWithPath: all[0])
    process.arguments = Array(all.dropFirst())
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/proc/nonexistent"]
    let errors = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let data = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
