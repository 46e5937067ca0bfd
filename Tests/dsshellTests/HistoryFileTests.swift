import Glibc
import Testing

@testable import dsshell

@Suite struct HistoryFileTests {
  @Test(arguments: [
    ["print 1"], ["print [\n\t1,\n  2]", "x"], ["a\n\tb\n\t\tc", "é漢", "d"], [],
  ])
  func entriesSurviveARoundTrip(entries: [String]) throws {
    let folder = try TemporaryFolder()
    let file = HistoryFile(path: folder.path + "/a/b/history")
    for entry in entries { #expect(file.append(entry)) }
    #expect(file.entries() == entries)
  }

  @Test func onlyTheNewestEntriesAreRead() throws {
    let folder = try TemporaryFolder()
    let file = HistoryFile(path: folder.path + "/history")
    for number in 0..<5 { file.append("print \(number)") }
    #expect(file.entries(limit: 2) == ["print 3", "print 4"])
  }

  @Test func aFileReadableByOthersBecomesPrivate() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("history", "old\n")
    chmod(path, 0o644)
    HistoryFile(path: path).append("new")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try folder.read("history") == "old\nnew\n")
  }

  @Test func anUnwritablePathKeepsNothing() {
    let file = HistoryFile(path: "/proc/none/history")
    #expect(!file.append("x"))
    #expect(file.entries() == [])
  }

  @Test func aFileThatIsNotRegularIsNotChanged() throws {
    let folder = try TemporaryFolder()
    let fifo = folder.path + "/history"
    try #require(mkfifo(fifo, 0o644) == 0)
    let file = HistoryFile(path: fifo)
    // With a reader, so that opening the FIFO for writing succeeds.
    let reader = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    #expect(!file.append("x"))
    #expect(file.entries() == [])
    #expect(file.problem?.contains("is a named pipe, not a regular file") == true)
    var status = stat()
    #expect(stat(fifo, &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFIFO && status.st_mode & 0o777 == 0o644)
    var byte: UInt8 = 0
    #expect(read(reader, &byte, 1) <= 0)
  }

  @Test func anEntryBeginsOnALineOfItsOwn() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("history", "edited by hand")
    #expect(HistoryFile(path: path).append("new"))
    #expect(try folder.read("history") == "edited by hand\nnew\n")
  }

  @Test func aLockOfAnotherProcessDoesNotBlock() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("history", "old\n")
    let other = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(other) }
    try #require(flock(other, LOCK_EX) == 0)
    let file = HistoryFile(path: path)
    #expect(file.entries() == ["old"])
    #expect(file.append("new"))
    #expect(file.entries() == ["old", "new"])
  }

  @Test func theNullDeviceKeepsNoHistoryWithoutAWarning() {
    #expect(HistoryFile(path: "/dev/null").problem == nil)
  }

  @Test func concurrentWritersLoseNothing() async throws {
    let folder = try TemporaryFolder()
    let file = HistoryFile(path: folder.path + "/history")
    await withTaskGroup { group in
      for writer in 0..<8 {
        group.addTask {
          for number in 0..<50 { file.append("print [\(writer),\n\(number)]") }
        }
      }
    }
    let entries = file.entries()
    #expect(entries.count == 400)
    #expect(Set(entries).count == 400)
  }
}
