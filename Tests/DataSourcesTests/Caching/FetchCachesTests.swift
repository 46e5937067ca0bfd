import DataTables
import Testing

@testable import DataSources

@Suite struct FetchCachesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path + "/cache/sections" }

  /// Runs a fetch that computes two entries.
  /// - Returns: whether both were in the cache.
  @discardableResult
  private func fetch(_ name: String, _ state: String, in caches: FetchCaches) -> Bool {
    let cache = FetchCache(name, in: caches)
    cache.open(state)
    for key in ["counts\n1", "titles"] {
      guard cache.content(key, { $0 == "content of " + key ? $0 : nil }) == nil else { continue }
      cache.keep("content of " + key, for: key)
    }
    return cache.finish()
  }

  @Test(arguments: [true, false])
  func aCacheIsUsedForTheSameState(isOnDisk: Bool) {
    let caches = FetchCaches(folder: isOnDisk ? path : nil)
    #expect(!fetch("a/b \"ü\"", "one", in: caches))
    #expect(fetch("a/b \"ü\"", "one", in: caches))
    #expect(!fetch("other", "one", in: caches))
    #expect(!fetch("a/b \"ü\"", "two", in: caches), "another state of the data")
    #expect(!fetch("a/b \"ü\"", "one", in: caches), "replaced by the other state")
    #expect(caches.names == ["a/b \"ü\"", "other"])
    #expect(caches.takeProblems().isEmpty)
  }

  @Test func filesOutliveTheSession() throws {
    fetch("staff", "one", in: FetchCaches(folder: path))
    #expect(fetch("staff", "one", in: FetchCaches(folder: path)))
    #expect(try FetchCaches(folder: path).remove("staff"))
    #expect(!fetch("staff", "one", in: FetchCaches(folder: path)))
  }

  @Test func removingAnUnknownCacheChangesNothing() throws {
    for caches in [FetchCaches(folder: path), FetchCaches()] {
      #expect(try !caches.remove("staff"))
      fetch("staff", "one", in: caches)
      #expect(try caches.remove("staff"))
      #expect(caches.names.isEmpty)
    }
  }

  @Test(arguments: ["", "{", "[]\n[]", "\u{0}", "[\"counts\\n1\",1]"])
  func damagedFilesAreComputedAgain(text: String) throws {
    let caches = FetchCaches(folder: path)
    fetch("staff", "one", in: caches)
    caches.write(text, to: "staff")
    #expect(!fetch("staff", "one", in: caches))
    #expect(fetch("staff", "one", in: caches))
  }

  @Test func everyTruncationIsComputedAgain() throws {
    let caches = FetchCaches(folder: path)
    fetch("staff", "one", in: caches)
    let text = try #require(caches.text("staff"))
    for count in 0..<text.count {
      caches.write(String(text.prefix(count)), to: "staff")
      #expect(!fetch("staff", "one", in: caches), "\(count) characters")
    }
  }

  @Test func aCacheWithoutAStateIsNotKept() {
    let caches = FetchCaches()
    let cache = FetchCache("staff", in: caches)
    #expect(!cache.isOpen)
    cache.keep("content", for: "key")
    #expect(!cache.finish())
    #expect(caches.names.isEmpty)
  }

  @Test func aFolderThatCannotBeMadeIsReported() throws {
    try folder.write("", to: "file")
    let caches = FetchCaches(folder: folder.path + "/file/sections")
    #expect(!fetch("staff", "one", in: caches))
    #expect(caches.takeProblems().first?.hasPrefix("the cache `staff` was not kept: ") ?? false)
    #expect(caches.takeProblems().isEmpty)
  }

  @Test func theFolderFollowsTheEnvironment() {
    #expect(
      FetchCaches.userFolder { ["XDG_CACHE_HOME": "/c", "HOME": "/h"][$0] } == "/c/dsshell/sections"
    )
    #expect(FetchCaches.userFolder { ["HOME": "/h"][$0] } == "/h/.cache/dsshell/sections")
    #expect(FetchCaches.userFolder { _ in nil } == nil)
  }
}
