import Foundation
import Glibc
import Testing

/// Where reports go, and what is beside them.
@Suite struct TestReportTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("a.ds", "print 1\n#| 1\n")
    try folder.write("b.ds", "print 1\n#| 2\n")
  }

  @Test func aPipeWithANameIsWrittenTo() throws {
    let path = folder.path + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    let result = try dsshellTest(folder, "a.ds", "--report", "tap=\(path)")
    #expect(result.status == 0)
    var bytes: [UInt8] = Array(repeating: 0, count: 4096)
    let count = read(reader, &bytes, bytes.count)
    #expect(
      String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).hasPrefix("TAP version 14"))
    var facts = stat()
    #expect(stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO)
  }

  @Test func aStreamThatIsOpenKeepsWhatItHolds() throws {
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "/proc/self/fd/1")
    for target in ["/dev/stdout", link] {
      let result = try dsshellTest(folder, "a.ds", "--report", "tap=\(target)", "--report", "human")
      #expect(result.output.hasPrefix("1 file, 1 section: 1 passed in T\nTAP version 14\n"))
      #expect(result.status == 0)
    }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/proc/self/fd/1")
  }

  @Test func twoReportsInOneFileAreRefused() throws {
    let path = folder.path + "/r"
    let other = folder.path + "/./r"
    let result = try dsshellTest(
      folder, "a.ds", "--report", "tap=\(path)", "--report", "junit=\(other)")
    #expect(result.status == 2)
    #expect(result.errors.contains("Two reports go to one file"))
  }

  @Test func whatProgramsReadHoldsNothingElse() throws {
    let result = try dsshellTest(folder, "b.ds", "--report", "jsonl", "--update")
    #expect(result.output.split(separator: "\n").allSatisfy { $0.hasPrefix("{") })
    #expect(result.errors == "updated 1 line in 1 file\n")
    let lost = try dsshellTest(folder, "a.ds", "--report", "tap=\(folder.path)/none/r")
    #expect(lost.output == "1 file, 1 section: 1 passed in T\n")
    #expect(lost.errors.hasPrefix("error: the report was not written: "))
    #expect(lost.status == 1)
  }
}
