import DataSources
package import DataTables
import Glibc

/// The files on which tests depend, to run the tests again whose files change (`--watch`).
package struct TestWatch {
  /// For each test by its name, the stamps of its files.
  private var known: [String: [String: Stamp]] = [:]
  /// The folders of the command line, in which new scripts can appear.
  private let folders: [String]

  /// The state of a file or a folder that changes when its content does. The time is the `ctime`, because
  /// programs can set the `mtime` to any time.
  private enum Stamp: Equatable {
    case missing
    case file(device: UInt, number: UInt, size: Int, seconds: Int, nanoseconds: Int)
    /// A file that changed while the test ran.
    case outdated

    init(_ path: String) {
      var facts = stat()
      guard stat(path, &facts) == 0 else {
        self = .missing
        return
      }
      self = .file(
        device: UInt(facts.st_dev), number: UInt(facts.st_ino), size: Int(facts.st_size),
        seconds: facts.st_ctim.tv_sec, nanoseconds: facts.st_ctim.tv_nsec)
    }

    /// Whether it changed after a time. A clock that was set back does not mean that it changes.
    func changed(from start: timespec, to end: timespec) -> Bool {
      guard case .file(_, _, _, let seconds, let nanoseconds) = self else { return false }
      let time = (seconds, nanoseconds)
      return time >= (start.tv_sec, start.tv_nsec) && time <= (end.tv_sec, end.tv_nsec)
    }
  }

  /// The time of files now.
  package struct Start: Sendable {
    fileprivate let time: timespec
  }

  package static var now: Start {
    var time = timespec()
    // The clock of files, which may be behind the other ones.
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    return Start(time: time)
  }

  /// - Parameter paths: the paths of the command line.
  package init(_ paths: [String]) { folders = paths.filter(Folder.isFolder) }

  /// Records the files of a test that began after `start`.
  package mutating func record(_ job: TestJob, reads: [String], since start: Start) {
    var end = timespec()
    // Not behind the clock of files.
    clock_gettime(CLOCK_REALTIME, &end)
    var stamps: [String: Stamp] = [:]
    for path in [job.path] + reads {
      let stamp = Stamp(path)
      stamps[path] = stamp.changed(from: start.time, to: end) ? .outdated : stamp
    }
    known[job.name] = stamps
  }

  /// The tests whose files have changed, and those that did not run yet.
  package func changed(among jobs: [TestJob]) -> [TestJob] {
    jobs.filter { job in
      guard let stamps = known[job.name] else { return true }
      return stamps.contains { path, stamp in Stamp(path) != stamp }
    }
  }

  /// The number of files and folders that are observed.
  package var count: Int { observed.files.count + observed.folders.count }

  private var observed: ObservedPaths {
    var files: Set<String> = []
    var folders = Set(self.folders.flatMap(Self.withSubfolders))
    for path in known.values.joined().map(\.key) {
      if Folder.isFolder(path) { folders.insert(path) } else { files.insert(path) }
    }
    return ObservedPaths(files: files.sorted(), folders: folders.sorted())
  }

  private static func withSubfolders(_ folder: String) -> [String] {
    let start = folder.hasSuffix("/") ? folder : folder + "/"
    let names = Folder.names(in: folder).filter { $0.hasSuffix("/") && !$0.hasPrefix(".") }
    return [folder] + names.map { start + $0.dropLast() }.flatMap(withSubfolders)
  }

  /// The time in which several changes are noticed together, and the interval between comparisons
  /// where the system cannot observe all files; in milliseconds.
  private static let quietTime: Int32 = 30
  private static let interval: Int32 = 1000

  /// Waits until a test must run again.
  ///
  /// - Parameters:
  ///   - select: the tests of the command line at that time.
  ///   - interruption: a descriptor that becomes readable when waiting must end.
  /// - Returns: the tests; empty if waiting was ended.
  package func wait(
    _ select: () -> [TestJob], interruption: Int32, cancellation: Cancellation
  ) -> [TestJob] {
    // Without enough watches, stamps are compared at intervals.
    let observed = observed
    let monitor = try? FileMonitor(cancellation: Cancellation()) { _ in observed }
    var polled = [
      pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
      pollfd(fd: monitor?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    var isQuiet = false
    while !cancellation.isCancelled {
      // Before waiting, too: a file may have changed before it was observed.
      let jobs = changed(among: select())
      if !jobs.isEmpty, isQuiet { return jobs }
      if jobs.isEmpty {
        _ = poll(&polled, 2, monitor == nil ? Self.interval : -1)
        if polled[0].revents != 0 { break }
      }
      _ = poll(&polled, 1, Self.quietTime)
      isQuiet = true
      _ = try? monitor?.takeChange(cancellation: cancellation)
    }
    return []
  }
}
