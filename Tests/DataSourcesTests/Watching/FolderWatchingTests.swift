import DataTables
import Foundation
import Glibc
import Testing

@testable import DataSources

/// Several files as one source, observed through inotify or at intervals.
struct FolderWatchingTests {
  @Test(arguments: ["", "/*.csv", "/**"], [nil, Duration.milliseconds(5)])
  func newChangedAndDeletedFilesAreEvents(pattern: String, interval: Duration?) async throws {
    let folder = try TemporaryFolder()
    try folder.write("name\na\n", to: "1.csv")
    let source = try await SimpleSource.load(all: folder.path + pattern, formats: .core)
    let monitors = SourceMonitors()
    try monitors.observe(
      [(source, interval)], clock: AdjustableClock(), cancellation: Cancellation())
    func expect(_ names: [Value]) async throws {
      var found: [Value] = []
      for _ in 0..<2_000 {
        _ = try await monitors.readChanges(cancellation: Cancellation())
        found = try await source.allObjects().map { try path("name").evaluate(on: $0) }
        if found == names { return }
        try await Task.sleep(for: .milliseconds(2))
      }
      #expect(found == names)
    }
    try folder.write("name\nb\n", to: "2.csv")
    try await expect(["a", "b"])
    try folder.write("name\na\nc\n", to: "1.csv")
    try await expect(["a", "c", "b"])
    try folder.remove("1.csv")
    try await expect(["b"])
    if pattern == "/**" {
      try FileManager.default.createDirectory(
        atPath: folder.path(of: "new"), withIntermediateDirectories: false)
      _ = try await monitors.readChanges(cancellation: Cancellation())
      try folder.write("name\nd\n", to: "new/3.csv")
      try await expect(["b", "d"])
    }
  }

  /// The target of a link is in a folder that is not observed for other reasons.
  @Test(arguments: ["", "/*.csv"])
  func theMissingTargetOfALinkIsAwaited(pattern: String) async throws {
    let folder = try TemporaryFolder()
    let other = try TemporaryFolder()
    try folder.write("name\na\n", to: "1.csv")
    symlink(other.path(of: "target"), folder.path(of: "2.csv"))
    let source = try await SimpleSource.load(all: folder.path + pattern, formats: .core)
    #expect(source.numberOfObjects == 1)
    let monitors = SourceMonitors()
    try monitors.observe([(source, nil)], clock: AdjustableClock(), cancellation: Cancellation())
    try other.write("name\nb\n", to: "target")
    for _ in 0..<2_000 where source.numberOfObjects == 1 {
      _ = try await monitors.readChanges(cancellation: Cancellation())
      try await Task.sleep(for: .milliseconds(2))
    }
    #expect(source.numberOfObjects == 2)
  }
}
