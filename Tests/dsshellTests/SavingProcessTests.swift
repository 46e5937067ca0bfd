import Foundation
import Glibc
import Testing

/// Shells that are killed or stopped by the system while they save a file.
struct SavingProcessTests {
  enum Save: CaseIterable {
    case other, edits

    static let rows = (1..<20_000).map { "\($0),name \($0)\n" }.joined()
    static let new = "id,name\n0,new\n" + rows

    var old: String { self == .other ? "id,name\n1,old\n" : "id,name\n0,old\n" + Self.rows }

    /// Commands that make the content of a file new, with `pause` before the file is saved.
    func commands(_ source: String, _ target: String, pause: String) -> String {
      switch self {
      case .other: "let rows = load \(source); \(pause); save rows \(target) overwrite: true"
      case .edits:
        "let rows = load \(target); update rows [0, 0] name: new; \(pause); save rows"
      }
    }
  }

  /// A shell that waits at a gate before it saves a file, and at another one after that.
  private struct GatedShell {
    let process: ShellProcess
    let before: Gate
    let after: Gate
    private let gates: TemporaryFolder

    init(_ save: Save, _ source: String, _ target: String) throws {
      gates = try TemporaryFolder()
      before = try Gate(in: gates, "before")
      after = try Gate(in: gates, "after")
      let commands = save.commands(
        source, target, pause: "let g = load \(before.path) format: csv")
      process = try ShellProcess(
        ["-c", "\(commands); let h = load \(after.path) format: csv"], environment: [:],
        streams: (0..<3).map { _ in .file("/dev/null", flags: O_RDWR) })
    }
  }

  /// Killed before it saves, after more and more time from that moment on, and after it has saved.
  @Test(arguments: Save.allCases) func aKilledShellLeavesTheOldFileOrTheNewOne(save: Save) throws {
    let folder = try TemporaryFolder()
    let source = try folder.write("source.csv", Save.new)
    let target = folder.path + "/target.csv"
    /// A shell that is about to save the file.
    func start() throws -> GatedShell {
      try folder.write("target.csv", save.old)
      let shell = try GatedShell(save, source, target)
      try shell.before.waitForShell()
      return shell
    }
    /// Returns the content of the file after that.
    func killed(_ shell: GatedShell) throws -> String {
      shell.process.send(SIGKILL)
      #expect(shell.process.wait() == -SIGKILL)
      return try folder.read("target.csv")
    }
    #expect(try killed(start()) == save.old)

    let whole = try start()
    let clock = ContinuousClock()
    let begin = clock.now
    whole.before.open()
    try whole.after.waitForShell()
    let duration = begin.duration(to: clock.now)
    whole.after.open()
    #expect(whole.process.wait() == 0)
    #expect(try folder.read("target.csv") == Save.new)

    for step in 0..<38 {
      let shell = try start()
      shell.before.open()
      usleep(useconds_t(duration / .microseconds(1) * Double(step) / 36))
      let found = try killed(shell)
      #expect(found == save.old || found == Save.new)
    }

    let last = try start()
    last.before.open()
    try last.after.waitForShell()
    #expect(try killed(last) == Save.new)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    // A shell that is killed just before the replacement leaves the draft.
    let others = names.filter { !["source.csv", "target.csv"].contains($0) }
    #expect(others.allSatisfy { $0.hasPrefix("target.csv.") && $0.hasSuffix(".tmp") })
  }

  /// Interrupted after more and more time from the moment at which it begins to save.
  @Test func anInterruptedSaveLeavesTheOldFile() throws {
    let folder = try TemporaryFolder()
    let source = try folder.write("source.csv", Save.new)
    let old = "[]\n"
    /// Returns the status, and whether the file has its old content.
    func save(interruptedAfter delay: Duration?) throws -> (status: Int32, isOld: Bool) {
      try folder.write("target.json", old)
      let gate = try Gate(in: folder)
      let process = try ShellProcess(
        [
          "-c",
          "let rows = load \(source); let gate = load \(gate.path) format: csv; "
            + "save rows \(folder.path)/target.json overwrite: true",
        ], environment: [:],
        streams: [
          .file("/dev/null", flags: O_RDONLY), .file("/dev/null", flags: O_WRONLY),
          .file(folder.path + "/errors", flags: O_WRONLY | O_CREAT | O_TRUNC),
        ])
      try gate.waitForShell()
      gate.open()
      if let delay {
        usleep(useconds_t(delay / .microseconds(1)))
        process.send(SIGINT)
      }
      let status = process.wait()
      return (status, try folder.read("target.json") == old)
    }
    let clock = ContinuousClock()
    let start = clock.now
    let whole = try save(interruptedAfter: nil)
    let duration = start.duration(to: clock.now)
    #expect(whole.status == 0 && !whole.isOld)
    let new = try folder.read("target.json")
    var wasStopped = false
    for step in 0..<10 {
      let result = try save(interruptedAfter: duration * (Double(step) / 10))
      // The signal may arrive after the save.
      #expect([0, 130].contains(result.status))
      #expect(try result.isOld || folder.read("target.json") == new)
      let errors = try folder.read("errors")
      if errors.contains("saving was canceled; ") {
        #expect(result.isOld && result.status == 130 && errors.contains(" is unchanged"))
        wasStopped = true
      }
    }
    #expect(wasStopped)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["errors", "source.csv", "target.json"])
  }

  @Test func aFileThatIsTooLargeIsNotWritten() throws {
    let folder = try TemporaryFolder()
    let rows = (0..<20_000).map { "\($0),name \($0)\n" }.joined()
    let source = try folder.write("source.csv", "id,name\n" + rows)
    let target = try folder.write("target.csv", "old")
    let errors = folder.path + "/errors"
    let shell = try ShellProcess.binary
    let command = "let rows = load \(source); save rows \(target) overwrite: true"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // The size is in blocks of 512 bytes.
    process.arguments = [
      "-c", "trap '' XFSZ; ulimit -f 64; exec \(shell) -c '\(command)' 2>\(errors) >/dev/null",
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 1)
    #expect(try folder.read("errors").contains("cannot write `\(target)`: File too large"))
    #expect(try folder.read("target.csv") == "old")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["errors", "source.csv", "target.csv"])
  }
}
