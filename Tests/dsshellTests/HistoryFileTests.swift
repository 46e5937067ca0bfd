import Glibc
import Testing

@testable import dsshell

@Suite struct HistoryFileTests {
  @Test(arguments: [
    ["print 1"], ["print [\n\t1,\n  2]", "x"], ["a\n\tb\n\t\tc", "é漢", "d"], [],
  ])
  func entriesComeBackAsTheyWere(entries: [String]) throws {
    let folder = try TemporaryFolder()
    let file = HistoryFile(path: folder.path + "/a/b/history")
    for entry in entries { #expect(file.append(entry)) }
    #expect(file.entries() == entries)
  }

  @Test func onlyTheNewestAreRead() throws {
    let folder = try TemporaryFolder()
    let file = HistoryFile(path: folder.path + "/history")
    for number in 0..<5 { file.append("print \(number)") }
    #expect(file.entries(limit: 2) == ["print 3", "print 4"])
  }

  @Test func aFileOthersCouldReadIsClosedToThem() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("history", "old\n")
    chmod(path, 0o644)
    HistoryFile(path: path).append("new")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try folder.read("history") == "old\nnew\n")
  }

  @Test func whereNothingCanBeWrittenNothingIsKept() {
    let file = HistoryFile(path: "/proc/none/history")
    #expect(!file.append("x"))
    #expect(file.entries() == [])
  }

  @Test func writersAtOnceLoseNothing() async throws {
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
