import DataTables
import Foundation
import TestSupport
import Testing

@testable import DataSources

struct FilePatternTests {
  @Test(arguments: [
    ("*.csv", "a.csv", true), ("*.csv", ".a.csv", false), (".*", ".a", true), ("a?c", "abc", true),
    ("a?c", "ac", false), ("[a-c]x", "bx", true), ("[!a-c]x", "bx", false), ("[]]", "]", true),
    ("[a", "[a", true), ("*", "", true), ("**", "ab", true), ("a*b*c", "aXbYbZc", true),
    ("a*b*c", "aXbY", false), ("é*", "é1", true), ("[z-a]", "b", false),
  ])
  func namesMatch(pattern: String, name: String, isMatch: Bool) {
    #expect(NamePattern(pattern[...]).matches(name[...]) == isMatch)
  }

  @Test(
    .enabled(if: geteuid() != 0, "the superuser may read every folder"), arguments: ["", "/*.csv"])
  func aFolderThatCannotBeReadIsAnError(pattern: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("a\n1\n", to: "1.csv")
    let selection = try #require(FileSelection(folder.path + pattern, root: ""))
    chmod(folder.path, 0)
    defer { chmod(folder.path, 0o700) }
    #expect(throws: TableError.io("cannot open `\(folder.path)`: Permission denied")) {
      try selection.files(formats: .core, cancellation: Cancellation())
    }
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may read every folder"))
  func foldersBelowThatCannotBeReadAreReported() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a\n1\n", to: "1.csv")
    mkdir(folder.path(of: "closed"), 0)
    let source = try await SimpleSource.load(
      all: folder.path + "/**/*.csv", relativeTo: folder.path, formats: .core)
    #expect(source.report?.notes == ["skipped, because it cannot be read: closed"])
  }

  /// All ways to match, tried one after another.
  private func slow(_ pattern: Substring, _ name: Substring) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    let rest = pattern.dropFirst()
    if first == "*" {
      return slow(rest, name) || !name.isEmpty && slow(pattern, name.dropFirst())
    }
    guard let next = name.first else { return false }
    return (first == "?" || first == next) && slow(rest, name.dropFirst())
  }

  @Test(arguments: UInt64(0)..<2_000)
  func namesMatchAsIfAllWaysWereTried(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func text(_ letters: [String], _ count: Int) -> String {
      (0..<Int.random(in: 0...count, using: &random)).map { _ in
        letters.randomElement(using: &random) ?? ""
      }.joined()
    }
    let pattern = text(["a", "b", "*", "?"], 6)
    let name = text(["a", "b"], 8)
    #expect(
      NamePattern(pattern[...]).matches(name[...]) == slow(pattern[...], name[...]),
      "seed \(seed): \(pattern) \(name)")
  }

  @Test func foldersAreSearchedAndLinksNotFollowed() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    for folder in ["a/b", "c", ".hidden"] {
      try FileManager.default.createDirectory(
        at: root.appending(path: folder), withIntermediateDirectories: true)
    }
    for file in ["1.csv", "a/2.csv", "a/b/3.csv", "c/4.txt", ".hidden/5.csv", "[x].csv"] {
      try Data("x\n1\n".utf8).write(to: root.appending(path: file))
    }
    try FileManager.default.createSymbolicLink(
      at: root.appending(path: "a/loop"), withDestinationURL: root)
    #expect(mkfifo(root.appending(path: "pipe.csv").path, 0o600) == 0)
    func names(_ pattern: String) throws -> [String] {
      let matches = try #require(FilePattern(root.path + "/" + pattern)).matches(
        cancellation: Cancellation())
      return matches.files.sorted().map { String($0.dropFirst(root.path.count + 1)) }
    }
    #expect(try names("*.csv") == ["1.csv", "[x].csv"])
    #expect(try names("**/*.csv") == ["1.csv", "[x].csv", "a/2.csv", "a/b/3.csv"])
    #expect(try names("**") == ["1.csv", "[x].csv", "a/2.csv", "a/b/3.csv", "c/4.txt"])
    #expect(try names("a/**/3*") == ["a/b/3.csv"])
    #expect(try names("*/*.csv") == ["a/2.csv"])
    #expect(try names("**/**/b/*") == ["a/b/3.csv"])
    #expect(try names("[ac]/[0-9].*") == ["a/2.csv", "c/4.txt"])
    #expect(try names("x/*") == [])
    #expect(FilePattern("a/b.csv") == nil)
    let canceled = Cancellation()
    canceled.cancel()
    #expect(throws: TableError.cancelled) {
      try FilePattern(root.path + "/**")?.matches(cancellation: canceled)
    }
    // The folders in which a file can match, also one that does not exist yet.
    func folders(_ pattern: String) throws -> [String] {
      let matches = try #require(FilePattern(root.path + "/" + pattern)).matches(
        cancellation: Cancellation())
      return matches.folders.map { String($0.dropFirst(root.path.count + 1)) }.sorted()
    }
    #expect(try folders("*.csv") == [""])
    #expect(try folders("**/*.csv") == ["", "a", "a/b", "c"])
    #expect(try folders("*/b/*.csv") == ["", "a", "a/b", "c", "c/b"])
    #expect(try folders("x/*") == ["x"])
    // A file that has the name of a pattern is one file.
    #expect(!SimpleSource.isSelection(root.path + "/[x].csv"))
    #expect(SimpleSource.isSelection(root.path))
  }
}
