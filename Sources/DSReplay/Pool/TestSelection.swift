import DataSources
import Glibc

/// The scripts that a command line names.
package struct TestSelection: Sendable {
  /// As they were named, those of a folder in the order of their names; none twice.
  package private(set) var jobs: [TestJob] = []
  private var seen: Set<Entry> = []

  private struct Entry: Hashable {
    let file: FileIdentity
    let line: Int?
  }

  package struct Missing: Error {
    package let path: String
    package let reason: String
  }

  /// - Parameter paths: files, files with a line (`foods.ds:9`), and folders, which stand for all
  ///   `.ds` files in them and their folders. What a dot hides is left out.
  /// - Throws: ``Missing`` for a path that leads nowhere and for a folder that cannot be read, also for
  ///   those in a folder: a test that is left out without a word looks like one that passed.
  package init(_ paths: [String]) throws(Missing) {
    for path in paths { try add(path) }
  }

  private mutating func add(_ path: String) throws(Missing) {
    if let identity = FileIdentity(path) {
      if identity.isFolder { return try addFolder(path) }
      return append(TestJob(path: path), identity)
    }
    let reason = String(cString: strerror(errno))
    guard let colon = path.lastIndex(of: ":"),
      let line = Int(path[path.index(after: colon)...]), line > 0,
      let identity = FileIdentity(String(path[..<colon])), !identity.isFolder
    else { throw Missing(path: path, reason: reason) }
    append(TestJob(path: String(path[..<colon]), line: line), identity)
  }

  private mutating func append(_ job: TestJob, _ identity: FileIdentity) {
    if seen.insert(Entry(file: identity, line: job.line)).inserted { jobs.append(job) }
  }

  private mutating func addFolder(_ path: String) throws(Missing) {
    let prefix = path.hasSuffix("/") ? path : path + "/"
    guard let read = Folder.readNames(in: path) else {
      throw Self.unreadable(path)
    }
    // By bytes: the same everywhere.
    let names = read.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for name in names where !name.hasPrefix(".") {
      let entry = prefix + name
      if name.hasSuffix("/") {
        let folder = String(entry.dropLast())
        // A link to a folder may lead back here.
        if !FileIdentity.isLink(folder) { try addFolder(folder) }
      } else if name.hasSuffix(".ds") {
        // A link that leads nowhere is told as what cannot be read.
        guard let identity = FileIdentity(entry) ?? FileIdentity(link: entry) else {
          throw Self.unreadable(entry)
        }
        append(TestJob(path: entry), identity)
      }
    }
  }
}

extension TestSelection {
  /// Of an entry of a folder, for the reason that `errno` has.
  private static func unreadable(_ path: String) -> Missing {
    let reason = String(cString: strerror(errno))
    return Missing(
      path: path, reason: path.contains("\u{FFFD}") ? "its name is not UTF-8" : reason)
  }
}

// Parts of a selection.
extension TestSelection {
  /// Leaves those that are in a list of names as well (``TestJob/name``).
  package mutating func keep(_ names: [String]) {
    guard let others = try? TestSelection(names.filter { (try? TestSelection([$0])) != nil })
    else { return }
    jobs.removeAll { job in
      guard let identity = FileIdentity(job.path) else { return true }
      return !others.seen.contains(Entry(file: identity, line: job.line))
        && !others.seen.contains(Entry(file: identity, line: nil))
    }
  }

  /// Leaves every `count`th, from the `index`th on, counted from 1.
  package mutating func keepShard(_ index: Int, of count: Int) {
    jobs = jobs.enumerated().filter { $0.offset % max(1, count) == index - 1 }.map(\.element)
  }

  /// Puts them into an order that depends on the seed alone.
  package mutating func shuffle(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    jobs.shuffle(using: &generator)
  }
}

/// Which file a path leads to, however it is written.
private struct FileIdentity: Hashable {
  let device: UInt
  let number: UInt
  let isFolder: Bool

  /// - Returns: nil when there is none; `errno` says why.
  init?(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    self.init(facts)
  }

  /// The link itself: one that leads nowhere is a script that cannot be read, and not left out.
  init?(link path: String) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return nil }
    self.init(facts)
  }

  private init(_ facts: stat) {
    device = UInt(facts.st_dev)
    number = UInt(facts.st_ino)
    isFolder = facts.st_mode & S_IFMT == S_IFDIR
  }

  static func isLink(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK
  }
}
