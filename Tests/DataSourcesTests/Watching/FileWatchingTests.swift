import DataTables
import Foundation
import Glibc
import Testing

@testable import DataSources

/// Loaded files that other programs change, observed through inotify or at intervals.
struct FileWatchingTests {
  private let folder: TemporaryFolder
  private let monitors = SourceMonitors()
  private let clock = AdjustableClock()

  init() throws { folder = try TemporaryFolder() }

  private func load(_ name: String, _ text: String) async throws -> SimpleSource {
    try await SimpleSource.load(try folder.write(text, to: name), formats: .core, name: name)
  }

  private func observe(_ source: any DataSource, every interval: Duration? = nil) throws {
    try monitors.observe(
      [(source, interval)], clock: clock, cancellation: Cancellation())
  }

  /// Reads the next change; fails the test after ten seconds.
  private func waitForChange() async throws {
    for _ in 0..<5_000 {
      if try await !monitors.readChanges(cancellation: Cancellation()).isEmpty { return }
      try await Task.sleep(for: .milliseconds(2))
    }
    Issue.record("no change was reported")
  }

  private func names(_ source: any DataSource) async throws -> [Value] {
    try await source.allObjects().map { try path("name").evaluate(on: $0) }
  }

  @Test(arguments: [nil, Duration.milliseconds(5)])
  func anAppendedLineIsAnEventOfTheSourceAndItsWrappers(interval: Duration?) async throws {
    let source = try await load("log.csv", "n,name\n1,a\n")
    let sections = SectionedSource(source, key: try path("name"), name: "sections")
    try await sections.fetchData()
    let listener = Listener()
    source.delegate = listener
    sections.delegate = listener
    try observe(sections, every: interval)
    folder.append("2,b\n", to: "log.csv")
    try await waitForChange()
    #expect(
      listener.events == [
        "log.csv will", "log.csv changes", "log.csv finished", "sections will", "sections changes",
        "sections finished",
      ])
    #expect(sections.numberOfSections == 2)
    #expect(try await source.changes() == [.insert(IndexPath(section: 0, row: 1))])
    #expect(try await source.brokenInvariants().isEmpty)
  }

  @Test func aLineIsARowWhenItsLineEndHasArrived() async throws {
    let source = try await load("log.ndjson", "{\"name\": 1}\n")
    try observe(source)
    folder.append("{\"na", to: "log.ndjson")
    for _ in 0..<20 {
      #expect(try await monitors.readChanges(cancellation: Cancellation()).isEmpty)
      try await Task.sleep(for: .milliseconds(2))
    }
    #expect(source.numberOfObjects == 1)
    folder.append("me\": 2}\n{\"nam", to: "log.ndjson")
    try await waitForChange()
    #expect(try await names(source) == [1, 2])
    #expect(source.report?.rejected == 0)
  }

  @Test func aFetchReadsALastLineWithoutLineEnd() async throws {
    let source = try await load("log.csv", "name\na\n")
    try observe(source)
    folder.append("b\nc", to: "log.csv")
    try await waitForChange()
    #expect(try await names(source) == ["a", "b"])
    try await source.fetchData()
    #expect(try await names(source) == ["a", "b", "c"])
    folder.append("d\ne\n", to: "log.csv")
    try await waitForChange()
    #expect(try await names(source) == ["a", "b", "cd", "e"])
  }

  @Test func aFileThatIsRewrittenTruncatedOrReplacedIsReadAgain() async throws {
    let source = try await load("people.csv", "name\na\nb\n")
    try observe(source)
    try folder.write("name\nx\n", to: "people.csv")
    try await waitForChange()
    #expect(try await names(source) == ["x"])
    try folder.write("name\ny\nz\n", to: "draft")
    rename(folder.path(of: "draft"), folder.path(of: "people.csv"))
    try await waitForChange()
    #expect(try await names(source) == ["y", "z"])
    folder.append("w\n", to: "people.csv")
    try await waitForChange()
    #expect(try await names(source) == ["y", "z", "w"])
  }

  @Test func aDeletedFileKeepsItsContentUntilItIsCreatedAgain() async throws {
    let source = try await load("people.csv", "name\na\n")
    try observe(source)
    try folder.remove("people.csv")
    try await waitForChange()
    #expect(source.error != nil)
    #expect(try await names(source) == ["a"])
    try folder.write("name\nb\n", to: "people.csv")
    try await waitForChange()
    #expect(source.error == nil)
    #expect(try await names(source) == ["b"])
  }

  @Test func aSymbolicLinkThatLeadsToAnotherFileIsAChange() async throws {
    try folder.write("name\na\n", to: "first")
    try folder.write("name\nb\n", to: "second")
    symlink("first", folder.path(of: "link.csv"))
    let source = try await SimpleSource.load(folder.path(of: "link.csv"), formats: .core)
    try observe(source)
    folder.append("c\n", to: "first")
    try await waitForChange()
    #expect(try await names(source) == ["a", "c"])
    symlink("second", folder.path(of: "new"))
    rename(folder.path(of: "new"), folder.path(of: "link.csv"))
    try await waitForChange()
    #expect(try await names(source) == ["b"])
  }

  @Test func editsConflictWithAChangedFile() async throws {
    let source = try await load("people.csv", "name\na\n")
    try observe(source)
    try await source.edit(.insert(.record(Record([("name", "edited")]))))
    folder.append("b\n", to: "people.csv")
    try await waitForChange()
    guard case .conflict? = source.error else {
      Issue.record("no conflict: \(String(describing: source.error))")
      return
    }
    #expect(try await names(source) == ["a", "edited"])
    #expect(try await monitors.readChanges(cancellation: Cancellation()).isEmpty)
    try await source.fetchData(FetchOptions(edits: .discard))
    #expect(try await names(source) == ["a", "b"])
  }

  @Test func monitorsEndWithTheWatchAndWithTheSource() async throws {
    let source = try await load("people.csv", "name\na\n")
    try observe(source)
    #expect(monitors.descriptors.count == 1)
    try monitors.observe([], clock: clock, cancellation: Cancellation())
    #expect(monitors.isEmpty)
  }

  @Test func arraysHaveNoMonitor() throws {
    try observe(SimpleSource([1, 2]))
    #expect(monitors.isEmpty)
  }

  @Test func aFileWhosePermissionsChangeIsNotReadAgain() async throws {
    let source = try await load("people.csv", "name\na\n")
    let listener = Listener()
    source.delegate = listener
    try observe(source)
    try await Task.sleep(for: .milliseconds(40))
    chmod(folder.path(of: "people.csv"), 0o600)
    rename(folder.path(of: "people.csv"), folder.path(of: "other"))
    rename(folder.path(of: "other"), folder.path(of: "people.csv"))
    for _ in 0..<20 {
      #expect(try await monitors.readChanges(cancellation: Cancellation()).isEmpty)
      try await Task.sleep(for: .milliseconds(2))
    }
    #expect(listener.events.isEmpty)
  }

  @Test func aFileThatComesBackUnchangedIsNoLongerAFailure() async throws {
    let source = try await load("people.csv", "name\na\n")
    try observe(source)
    rename(folder.path(of: "people.csv"), folder.path(of: "other"))
    try await waitForChange()
    #expect(source.error != nil)
    rename(folder.path(of: "other"), folder.path(of: "people.csv"))
    try await waitForChange()
    #expect(source.error == nil)
    #expect(try await source.changes().isEmpty)
  }

  @Test func aFileWhoseFoldersAreReplacedIsReadAgain() async throws {
    let manager = FileManager.default
    try manager.createDirectory(
      atPath: folder.path(of: "a/b"), withIntermediateDirectories: true)
    let source = try await load("a/b/people.csv", "name\na\n")
    try observe(source)
    try manager.createDirectory(
      atPath: folder.path(of: "new/b"), withIntermediateDirectories: true)
    try folder.write("name\nb\n", to: "new/b/people.csv")
    rename(folder.path(of: "a"), folder.path(of: "old"))
    rename(folder.path(of: "new"), folder.path(of: "a"))
    try await waitForChange()
    #expect(try await names(source) == ["b"])
    folder.append("c\n", to: "a/b/people.csv")
    try await waitForChange()
    #expect(try await names(source) == ["b", "c"])
  }

  /// The stamp of a file does not change when it is written twice within one tick of the clock.
  @Test(arguments: ["people.csv", "people.json"])
  func aSecondWriteWithTheSameStampIsAChange(name: String) async throws {
    let texts = ["a", "b", "c", "d"].map {
      name.hasSuffix("csv") ? "name\n\($0)\n" : "[{\"name\": \"\($0)\"}]"
    }
    let source = try await load(name, texts[0])
    try observe(source)
    for (text, value) in zip(texts, ["a", "b", "c", "d"]).dropFirst() {
      try folder.write(text, to: name)
      var attempts = 0
      while try await names(source) != [.string(value)], attempts < 2_000 {
        _ = try await monitors.readChanges(cancellation: Cancellation())
        attempts += 1
      }
      #expect(attempts < 2_000)
    }
  }
}
