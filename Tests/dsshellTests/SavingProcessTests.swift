import Foundation
import Glibc
import Testing

/// Shells that are killed or stopped by the system while they save a file.
struct SavingProcessTests {
  /// Killed after more and more time, some before, some while and some after it saves.
  @Test func aKilledShellLeavesTheOldFileOrTheNewOne() throws {
    let folder = try TemporaryFolder()
    let old = "id,name\n1,old\n"
    let rows = (0..<20_000).map { "\($0),name \($0)\n" }.joined()
    let new = "id,name\n" + rows
    let source = try folder.write("source.csv", new)
    let target = folder.path + "/target.csv"
    func save() throws -> ShellProcess {
      try folder.write("target.csv", old)
      return try ShellProcess(
        ["-c", "let rows = load \(source); save rows \(target) overwrite: true"], environment: [:],
        streams: (0..<3).map { _ in .file("/dev/null", flags: O_RDWR) })
    }
    let clock = ContinuousClock()
    let start = clock.now
    let status = try save().wait()
    let whole = start.duration(to: clock.now)
    #expect(status == 0)
    #expect(try folder.read("target.csv") == new)
    var outcomes: Set<String> = []
    for step in 0..<40 {
      let process = try save()
      usleep(useconds_t(whole / .microseconds(1) * Double(step) / 38))
      process.send(SIGKILL)
      _ = process.wait()
      let found = try folder.read("target.csv")
      #expect(found == old || found == new)
      outcomes.insert(found)
    }
    #expect(outcomes.contains(old))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    // A shell that is killed just before the replacement leaves the draft.
    let others = names.filter { !["source.csv", "target.csv"].contains($0) }
    #expect(others.allSatisfy { $0.hasPrefix("target.csv.") && $0.hasSuffix(".tmp") })
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
