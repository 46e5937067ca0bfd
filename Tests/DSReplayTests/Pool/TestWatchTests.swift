import Foundation
import Testing

@testable import DSReplay

@Suite struct TestWatchTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/watch-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/data/deep", withIntermediateDirectories: true)
    try write("a.ds", "#% each file in data/**/*.csv\nprint file\n")
    try write("data/deep/a.csv", "a\n1\n")
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
  }

  private func setTime(of name: String, secondsFromNow: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: secondsFromNow)],
      ofItemAtPath: folder + "/" + name)
  }

  @Test(arguments: [-1000.0, 1000.0, 0.0], [false, true])
  func aFileThatChangedDuringTheRunIsRunAgain(seconds: Double, isChanged: Bool) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let job = TestJob(path: folder + "/a.ds")
    try setTime(of: "a.ds", secondsFromNow: seconds)
    // The clock of files advances in steps of some milliseconds.
    usleep(50_000)
    let start = TestWatch.now
    if isChanged {
      try write("a.ds", "print 2\n")
      try setTime(of: "a.ds", secondsFromNow: seconds)
    }
    var watch = TestWatch([])
    watch.record(job, reads: [], since: start)
    #expect(watch.changed(among: [job]) == (isChanged ? [job] : []))
  }

  @Test func aFileInTheFutureThatChangesIsRunAgain() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let job = TestJob(path: folder + "/a.ds")
    try setTime(of: "a.ds", secondsFromNow: 1000)
    var watch = TestWatch([])
    watch.record(job, reads: [], since: TestWatch.now)
    try setTime(of: "a.ds", secondsFromNow: 2000)
    #expect(watch.changed(among: [job]) == [job])
  }

  @Test func theFoldersOfAPatternAreWatched() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/a.ds"
    let script = ReplayScript(try String(contentsOfFile: path, encoding: .utf8), path: path)
    #expect(
      Set(script.dependencies) == [folder + "/data", folder + "/data/deep"])
  }
}
