import DataTables
import Foundation
import Glibc
import Testing

@testable import DataSources

@Suite struct FileDraftTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  private func read(_ path: String) throws -> String {
    try TextFile.read(path, cancellation: Cancellation())
  }

  private func draft(of path: String, _ text: String) throws -> FileDraft {
    let draft = try FileDraft(of: path)
    try draft.append(Array(text.utf8))
    return draft
  }

  private func status(of path: String) -> stat {
    var status = stat()
    #expect(lstat(path, &status) == 0)
    return status
  }

  @Test func aDraftHasNoNameUntilItIsComplete() throws {
    let path = try folder.write("old", to: "a.txt")
    do {
      let draft = try draft(of: path, "new")
      #expect(try names == ["a.txt"] && read(path) == "old")
      #expect(try draft.commit(cancellation: Cancellation()) != nil)
    }
    #expect(try names == ["a.txt"] && read(path) == "new")
    do { _ = try draft(of: path, "canceled") }
    #expect(try names == ["a.txt"] && read(path) == "new")
  }

  @Test func aReplacedFileKeepsItsPermissions() throws {
    let path = try folder.write("old", to: "a.txt")
    for mode: mode_t in [0o640, 0o600, 0o755] {
      chmod(path, mode)
      #expect(try draft(of: path, "new").commit(cancellation: Cancellation()) != nil)
      #expect(status(of: path).st_mode & 0o7777 == mode)
    }
  }

  @Test func aLinkStays() throws {
    let path = try folder.write("old", to: "a.txt")
    let links = ["link", "second"].map { folder.path(of: $0) }
    try FileManager.default.createSymbolicLink(atPath: links[0], withDestinationPath: "a.txt")
    try FileManager.default.createSymbolicLink(atPath: links[1], withDestinationPath: links[0])
    #expect(try draft(of: links[1], "new").commit(cancellation: Cancellation()) != nil)
    #expect(try read(path) == "new")
    #expect(links.allSatisfy { status(of: $0).st_mode & S_IFMT == S_IFLNK })
    try folder.remove("a.txt")
    #expect(try draft(of: links[1], "again").commit(cancellation: Cancellation()) != nil)
    #expect(try read(path) == "again")
    #expect(try names == ["a.txt", "link", "second"])
  }

  @Test func aCircleOfLinksIsRefused() throws {
    let links = ["one", "two"].map { folder.path(of: $0) }
    try FileManager.default.createSymbolicLink(atPath: links[0], withDestinationPath: "two")
    try FileManager.default.createSymbolicLink(atPath: links[1], withDestinationPath: "one")
    let message = "cannot write `\(links[0])`: Too many levels of symbolic links"
    #expect(throws: TableError.io(message)) { try FileDraft(of: links[0]) }
  }

  @Test func aFileThatChangedMeanwhileStays() throws {
    let path = try folder.write("old", to: "a.txt")
    let first = try draft(of: path, "first")
    let second = try draft(of: path, "second")
    #expect(try first.commit(cancellation: Cancellation()) != nil)
    #expect(try second.commit(cancellation: Cancellation()) == nil)
    #expect(try read(path) == "first")
    let third = try draft(of: path, "third")
    try folder.remove("a.txt")
    #expect(try third.commit(cancellation: Cancellation()) == nil)
    #expect(try names == [])
  }

  @Test func aFileThatAppearedMeanwhileStays() throws {
    let path = folder.path(of: "a.txt")
    let draft = try draft(of: path, "new")
    try folder.write("other", to: "a.txt")
    #expect(try draft.commit(cancellation: Cancellation()) == nil)
    #expect(try read(path) == "other" && names == ["a.txt"])
  }

  /// As several shells that save a file at the same time.
  @Test func oneOfSeveralDraftsReplacesAFile() async throws {
    let path = try folder.write("old", to: "a.txt")
    for round in 0..<20 {
      let won = try await withThrowingTaskGroup(of: Bool.self) { group in
        let drafts = try (0..<4).map { try draft(of: path, "\(round) \($0)") }
        for draft in drafts {
          nonisolated(unsafe) let draft = draft
          group.addTask { try draft.commit(cancellation: Cancellation()) != nil }
        }
        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(won == 1)
    }
    #expect(try names == ["a.txt"])
  }

  @Test func aLockDelaysTheReplacement() async throws {
    let path = try folder.write("old", to: "a.txt")
    let lock = open(path, O_RDONLY | O_CLOEXEC)
    #expect(flock(lock, LOCK_EX) == 0)
    nonisolated(unsafe) let next = try draft(of: path, "new")
    let commit = Task { try next.commit(cancellation: Cancellation()) != nil }
    try await Task.sleep(for: .milliseconds(50))
    #expect(try names == ["a.txt"] && read(path) == "old")
    close(lock)
    #expect(try await commit.value)
    #expect(try names == ["a.txt"] && read(path) == "new")
  }

  @Test func theWaitForALockCanBeCanceled() throws {
    let path = try folder.write("old", to: "a.txt")
    let lock = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX) == 0)
    let next = try draft(of: path, "new")
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(throws: TableError.cancelled) { try next.commit(cancellation: cancellation) }
    #expect(try names == ["a.txt"] && read(path) == "old")
    // Some files are replaced without a wait.
    #expect(try next.commit(cancellation: nil) != nil)
    #expect(try names == ["a.txt"] && read(path) == "new")
  }

  @Test(.enabled(if: geteuid() != 0, "the administrator may write any file"))
  func aFileThatMayNotBeWrittenStays() throws {
    let path = try folder.write("old", to: "a.txt")
    chmod(path, 0o400)
    let message = "cannot write `\(path)`: Permission denied"
    #expect(throws: TableError.io(message)) { try FileDraft(of: path) }
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    let other = folder.path(of: "b.txt")
    #expect(throws: TableError.io("cannot write `\(other)`: Permission denied")) {
      try FileDraft(of: other)
    }
  }
}
