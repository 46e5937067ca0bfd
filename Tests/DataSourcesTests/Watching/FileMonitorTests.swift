import DataTables
import Foundation
import Glibc
import Testing

@testable import DataSources

struct FileMonitorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Observes the folder, and counts how often its paths are listed.
  private func monitor(_ count: @escaping () -> Void) throws -> FileMonitor {
    let path = folder.path
    return try FileMonitor(cancellation: Cancellation()) { cancellation throws(TableError) in
      try cancellation.check()
      count()
      return ObservedPaths(folders: [path])
    }
  }

  @Test func onlyNewAndRemovedFilesMakeItListThePathsAgain() throws {
    try folder.write("a\n", to: "log.csv")
    var listings = 0
    let monitor = try monitor { listings += 1 }
    listings = 0
    for _ in 0..<3 {
      folder.append("1\n", to: "log.csv")
      #expect(try monitor.takeChange(cancellation: Cancellation()))
    }
    chmod(folder.path(of: "log.csv"), 0o600)
    #expect(try monitor.takeChange(cancellation: Cancellation()))
    #expect(listings == 0)
    #expect(try !monitor.takeChange(cancellation: Cancellation()))
    try folder.write("a\n", to: "new.csv")
    #expect(try monitor.takeChange(cancellation: Cancellation()))
    #expect(listings == 1)
    try folder.remove("new.csv")
    #expect(try monitor.takeChange(cancellation: Cancellation()))
    #expect(listings == 2)
  }

  @Test func theEndOfAWatchThatIsNotNeededLeadsToNoListing() throws {
    try folder.write("a\n", to: "1.csv")
    try folder.write("b\n", to: "2.csv")
    symlink("1.csv", folder.path(of: "link.csv"))
    var listings = 0
    let path = folder.path(of: "link.csv")
    let monitor = try FileMonitor(cancellation: Cancellation()) { _ in
      listings += 1
      return ObservedPaths(files: [path])
    }
    symlink("2.csv", folder.path(of: "new"))
    rename(folder.path(of: "new"), path)
    #expect(try monitor.takeChange(cancellation: Cancellation()))
    listings = 0
    #expect(try !monitor.takeChange(cancellation: Cancellation()))
    #expect(listings == 0)
    folder.append("c\n", to: "1.csv")
    #expect(try !monitor.takeChange(cancellation: Cancellation()))
    folder.append("c\n", to: "2.csv")
    #expect(try monitor.takeChange(cancellation: Cancellation()))
  }

  @Test func aChangeIsReportedAfterACanceledCheck() throws {
    let monitor = try monitor {}
    try folder.write("a\n", to: "new.csv")
    let canceled = Cancellation()
    canceled.cancel()
    #expect {
      _ = try monitor.takeChange(cancellation: canceled)
    } throws: {
      ($0 as? SourceError)?.isCancelled == true
    }
    #expect(try monitor.takeChange(cancellation: Cancellation()))
    #expect(try !monitor.takeChange(cancellation: Cancellation()))
  }

  @Test func anErrorOfThePathsIsThrown() throws {
    #expect(throws: SourceError.data(.io("too many files"))) {
      try FileMonitor(cancellation: Cancellation()) { _ throws(TableError) in
        throw .io("too many files")
      }
    }
  }

  @Test func anErrorOfALaterListingIsThrownOnce() throws {
    var fails = false
    let path = folder.path
    let monitor = try FileMonitor(cancellation: Cancellation()) { _ throws(TableError) in
      if fails { throw .io("too many files") }
      return ObservedPaths(folders: [path])
    }
    fails = true
    try folder.write("a\n", to: "new.csv")
    #expect(throws: SourceError.self) { try monitor.takeChange(cancellation: Cancellation()) }
    #expect(try monitor.takeChange(cancellation: Cancellation()))
    #expect(try !monitor.takeChange(cancellation: Cancellation()))
    folder.append("1\n", to: "new.csv")
    #expect(try monitor.takeChange(cancellation: Cancellation()))
  }

  @Test func manyLinksIntoOneFolderAreObserved() throws {
    var paths: [String] = []
    for number in 0..<300 {
      try folder.write("a\n", to: "\(number).csv")
      symlink("\(number).csv", folder.path(of: "link\(number)"))
      paths.append(folder.path(of: "link\(number)"))
    }
    let links = paths
    let monitor = try FileMonitor(cancellation: Cancellation()) { _ in ObservedPaths(files: links) }
    for name in ["0.csv", "299.csv"] {
      folder.append("1\n", to: name)
      #expect(try monitor.takeChange(cancellation: Cancellation()))
    }
    // The other file has no link.
    try folder.write("a\n", to: "other.csv")
    #expect(try !monitor.takeChange(cancellation: Cancellation()))
    rename(folder.path(of: "other.csv"), folder.path(of: "link7"))
    #expect(try monitor.takeChange(cancellation: Cancellation()))
  }
}
