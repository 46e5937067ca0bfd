import DSInterpreter
import DataSources
import DataTables
import Glibc

/// The scripts selected on the command line.
package struct TestSelection: Sendable {
  /// In the order of the arguments, and by name within a folder; without duplicates.
  package private(set) var jobs: [TestJob] = []
  private var seen: Set<Entry> = []

  private struct Entry: Hashable {
    let file: FileIdentity
    let line: Int?
  }

  /// A path that cannot be selected, with the reason.
  package struct Unreadable: Error {
    package let path: String
    package let reason: String
  }

  /// - Parameter paths: files, files with a line (`foods.ds:9`), and folders, which select all
  ///   `.ds` files and lessons below them. Hidden files are skipped.
  /// - Throws: ``Unreadable`` for a path that does not exist and for an unreadable folder, at any
  ///   depth: a test that is skipped silently looks like a test that passed.
  package init(_ paths: [String]) throws(Unreadable) {
    for path in paths { try add(path) }
  }

  private mutating func add(_ path: String) throws(Unreadable) {
    if let identity = FileIdentity(path) {
      if identity.isFolder { return try addFolder(path) }
      // Its workers read it, whose standard input and pipes are others.
      guard identity.isFile else {
        throw Unreadable(path: path, reason: "it is not a regular file")
      }
      return append(TestJob(path: path), identity)
    }
    let reason = String(cString: strerror(errno))
    guard let colon = path.lastIndex(of: ":"),
      let line = Int(path[path.index(after: colon)...]), line > 0,
      let identity = FileIdentity(String(path[..<colon])), identity.isFile
    else { throw Unreadable(path: path, reason: reason) }
    let file = String(path[..<colon])
    if let text = try? TextFile.read(file, cancellation: Cancellation()) {
      let count = ScriptText(text).numberOfLines
      // A text editor can stand on the empty line at the end, which is not counted.
      guard line <= count else {
        let written = text.utf8.last == UInt8(ascii: "\n") ? count - 1 : count
        throw Unreadable(path: path, reason: "the file has \(counted(written, "line"))")
      }
    }
    append(TestJob(path: file, line: line), identity)
  }

  private mutating func append(_ job: TestJob, _ identity: FileIdentity) {
    if seen.insert(Entry(file: identity, line: job.line)).inserted { jobs.append(job) }
  }

  private mutating func addFolder(_ path: String) throws(Unreadable) {
    let prefix = path.hasSuffix("/") ? path : path + "/"
    guard let read = Folder.readNames(in: path) else {
      throw Self.unreadable(path)
    }
    // By bytes, so that the order is the same everywhere.
    let names = read.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for name in names where !name.hasPrefix(".") {
      let entry = prefix + name
      if name.hasSuffix("/") {
        let folder = String(entry.dropLast())
        // A link to a folder may form a cycle.
        if !FileIdentity.isLink(folder) { try addFolder(folder) }
      } else if name.hasSuffix(".ds") || Lesson.isLesson(entry) {
        // A dangling link is reported as an unreadable script.
        guard let identity = FileIdentity(entry) ?? FileIdentity(link: entry) else {
          throw Self.unreadable(entry)
        }
        append(TestJob(path: entry), identity)
      }
    }
  }
}

extension TestSelection {
  /// The error for an entry of a folder, with the reason from `errno`.
  private static func unreadable(_ path: String) -> Unreadable {
    let reason = String(cString: strerror(errno))
    return Unreadable(
      path: path, reason: path.contains("\u{FFFD}") ? "its name is not UTF-8" : reason)
  }
}

// Reducing a selection.
extension TestSelection {
  /// Keeps the jobs that `names` selects (``TestJob/name``). The name of a script also keeps the
  /// jobs for lines of it.
  package mutating func keep(_ names: [String]) {
    guard let others = try? TestSelection(names.filter { (try? TestSelection([$0])) != nil })
    else { return }
    jobs.removeAll { job in
      guard let identity = FileIdentity(job.path) else { return true }
      return !others.seen.contains(Entry(file: identity, line: job.line))
        && !others.seen.contains(Entry(file: identity, line: nil))
    }
  }

  /// Keeps every `count`th job, starting with the `index`th, counted from 1.
  package mutating func keepShard(_ index: Int, of count: Int) {
    jobs = jobs.enumerated().filter { $0.offset % max(1, count) == index - 1 }.map(\.element)
  }

  /// Shuffles the jobs in an order that depends only on the seed.
  package mutating func shuffle(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    jobs.shuffle(using: &generator)
  }
}

/// The identity of a file, regardless of its path.
private struct FileIdentity: Hashable {
  let device: UInt
  let number: UInt
  let isFolder: Bool
  let isFile: Bool

  /// - Returns: nil if it does not exist; `errno` has the reason.
  init?(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    self.init(facts)
  }

  /// The identity of a link itself. A dangling link is an unreadable script and must not be
  /// skipped.
  init?(link path: String) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return nil }
    self.init(facts)
  }

  private init(_ facts: stat) {
    device = UInt(facts.st_dev)
    number = UInt(facts.st_ino)
    isFolder = facts.st_mode & S_IFMT == S_IFDIR
    isFile = facts.st_mode & S_IFMT == S_IFREG
  }

  static func isLink(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK
  }
}
