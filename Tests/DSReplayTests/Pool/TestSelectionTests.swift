import DSReplay
import Foundation
import Testing

@Suite struct TestSelectionTests {
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "/selection-\(UUID().uuidString)"
    for name in [
      "b.ds", "a.ds", "é.ds", "Z.ds", "c.csv", "deep/d.ds", ".git/x.ds", ".y.ds", "g.md",
    ] {
      let url = URL(fileURLWithPath: folder + "/" + name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("\n\n\n".utf8).write(to: url)
    }
    // A link to the folder itself, and one to a script.
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/loop", withDestinationPath: folder)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/link.ds", withDestinationPath: folder + "/a.ds")
  }

  private func names(_ selection: TestSelection) -> [String] {
    selection.jobs.map { String($0.name.dropFirst(folder.count + 1)) }
  }

  @Test func aFolderSelectsItsScriptsInTheOrderOfTheirBytes() throws {
    #expect(names(try TestSelection([folder])) == ["Z.ds", "a.ds", "b.ds", "deep/d.ds", "é.ds"])
    #expect(names(try TestSelection([folder + "/"])) == names(try TestSelection([folder])))
  }

  @Test func noScriptIsSelectedTwice() throws {
    let paths = ["/a.ds", "/./a.ds", "/link.ds", "/a.ds:3", "/a.ds:3", ""].map { folder + $0 }
    #expect(
      names(try TestSelection(paths)) == ["a.ds", "a.ds:3", "Z.ds", "b.ds", "deep/d.ds", "é.ds"])
  }

  @Test func aLinkToAScriptInAnotherFolderIsAnotherTest() throws {
    try #require(symlink("../a.ds", folder + "/deep/e.ds") == 0)
    #expect(
      names(try TestSelection([folder]))
        == ["Z.ds", "a.ds", "b.ds", "deep/d.ds", "deep/e.ds", "é.ds"])
  }

  @Test func aLinkToAFolderIsFollowedOnce() throws {
    let other = folder + "-other"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    try #require(symlink(folder + "/deep", other + "/linked") == 0)
    try #require(symlink(other, other + "/again") == 0)
    let selection = try TestSelection([other, folder + "/deep"])
    #expect(selection.jobs.map(\.name) == [other + "/linked/d.ds"])
    #expect(selection.emptyFolders == [])
  }

  @Test func aFolderWithoutTestsIsEmpty() throws {
    let empty = folder + "/empty"
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    #expect(try TestSelection([folder, empty]).emptyFolders == [])
    #expect(try TestSelection([empty, folder]).emptyFolders == [empty])
  }

  @Test(arguments: ["/x.ds", "/a.ds:0", "/a.ds:x", "/x.ds:1", "/deep:1", "/a.ds:"])
  func aMissingPathIsAnError(name: String) {
    #expect(throws: TestSelection.Unreadable.self) { try TestSelection([folder + name]) }
  }

  @Test func anUnreadableFolderIsAnError() throws {
    // The superuser can read it regardless.
    guard geteuid() != 0 else { return }
    try #require(chmod(folder + "/deep", 0) == 0)
    defer { chmod(folder + "/deep", 0o700) }
    let error = #expect(throws: TestSelection.Unreadable.self) { try TestSelection([folder]) }
    #expect(error?.path == folder + "/deep" && error?.reason == "Permission denied")
  }

  @Test func aFileNameThatIsNotUTF8IsAnError() throws {
    // In Latin 1, which is not UTF-8.
    let path = Array(
      (folder + "/x\u{FF}.ds").unicodeScalars.map { CChar(truncatingIfNeeded: $0.value) })
    try #require(symlink("a.ds", path + [0]) == 0)
    let error = #expect(throws: TestSelection.Unreadable.self) { try TestSelection([folder]) }
    #expect(error?.reason == "its name is not UTF-8")
    #expect(error?.path.hasPrefix(folder + "/x") == true)
  }

  @Test func aFolderNameThatIsNotUTF8IsAnError() throws {
    let path = (folder + "/x\u{FF}").unicodeScalars.map { CChar(truncatingIfNeeded: $0.value) }
    try #require(mkdir(path + [0], 0o700) == 0)
    let error = #expect(throws: TestSelection.Unreadable.self) { try TestSelection([folder]) }
    #expect(error?.reason == "its name is not UTF-8")
  }

  @Test func aDanglingLinkIsSelected() throws {
    try #require(symlink("nowhere", folder + "/x.ds") == 0)
    #expect(names(try TestSelection([folder])).contains("x.ds"))
  }

  @Test func aListOfNamesKeepsOnlyItsJobs() throws {
    var selection = try TestSelection([folder])
    selection.keep([folder + "/b.ds", folder + "/gone.ds", folder + "/c.csv"])
    #expect(names(selection) == ["b.ds"])
    selection.keep([])
    #expect(selection.jobs.isEmpty)
  }

  @Test func shardsAreAPartition() throws {
    let all = try TestSelection([folder])
    let shards = (1...3).flatMap { index in
      var shard = all
      shard.keepShard(index, of: 3)
      return shard.jobs.map(\.name)
    }
    #expect(shards.sorted() == all.jobs.map(\.name).sorted())
  }

  @Test func anOrderDependsOnlyOnItsSeed() throws {
    func shuffled(_ seed: UInt64) throws -> [String] {
      var selection = try TestSelection([folder])
      selection.shuffle(seed: seed)
      return names(selection)
    }
    #expect(try shuffled(1) == shuffled(1))
    #expect(try Set((0..<20).map { try shuffled($0) }).count > 5)
  }
}
