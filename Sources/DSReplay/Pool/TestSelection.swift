import DSInterpreter
import DataSources
import DataTables
import Glibc

/// The scripts selected on the command line.
package struct TestSelection: Sendable {
  /// In the order of the arguments, and by name within a folder; without duplicates.
  package private(set) var jobs: [TestJob] = []
  /// The folders that were named and have no tests in them.
  package private(set) var emptyFolders: [String] = []
  private var seen: Set<Entry> = []
  private var seenFolders: Set<FileIdentity> = []
  /// The number of tests and folders that were found, also again.
  private var found = 0

  /// A test, regardless of its path. A link to a script in another folder is another test, because the
  /// script has other files beside it there.
  private struct Entry: Hashable {
    let folder: FileIdentity
    let file: FileIdentity
    let line: Int?

    /// - Returns: nil if the file does not exist; a link to a missing file exists.
    init?(_ path: String, line: Int?) {
      let name = FilePath.folder(of: path)
      guard let folder = FileIdentity(name.isEmpty ? "." : name),
        let file = FileIdentity(path) ?? FileIdentity(link: path)
      else { return nil }
      self.folder = folder
      self.file = file
      self.line = line
    }
  }

  /// A path that cannot be selected, with the reason.
  package struct Unreadable: Error {
    package let path: String
    package let reason: String
  }

  /// - Parameter paths: files, files with a line (`foods.ds:9`), and folders, which select all
  ///   `.ds` files and lessons below them, also behind links. Hidden files are skipped.
  /// - Throws: ``Unreadable`` for a path that does not exist and for an unreadable folder, at any
  ///   depth: a test that is skipped silently looks like a test that passed.
  package init(_ paths: [String]) throws(Unreadable) {
    for path in paths { try add(path) }
  }

  private mutating func add(_ path: String) throws(Unreadable) {
    if let identity = FileIdentity(path) {
      if identity.isFolder {
        let count = found
        try addFolder(path, identity)
        if found == count { emptyFolders.append(path) }
        return
      }
      // The workers read the script: a pipe of this process is not one of theirs.
      guard identity.isFile else {
        throw Unreadable(path: path, reason: "it is not a regular file")
      }
      return append(TestJob(path: path))
    }
    let reason = String(cString: strerror(errno))
    guard let colon = path.lastIndex(of: ":"),
      let line = Int(path[path.index(after: colon)...]), line > 0,
      let identity = FileIdentity(String(path[..<colon])), identity.isFile
    else { throw Unreadable(path: path, reason: reason) }
    let file = String(path[..<colon])
    if let text = try? TextFile.read(file, cancellation: Cancellation()) {
      let count = ScriptText(text).numberOfLines
      // In an editor, the cursor may be on the empty line at the end, which is not counted.
      guard line <= count else {
        let written = text.utf8.last == UInt8(ascii: "\n") ? count - 1 : count
        throw Unreadable(path: path, reason: "the file has \(counted(written, "line"))")
      }
    }
    append(TestJob(path: file, line: line))
  }

  private mutating func append(_ job: TestJob) {
    found += 1
    guard let entry = Entry(job.path, line: job.line) else { return }
    if seen.insert(entry).inserted { jobs.append(job) }
  }

  private mutating func addFolder(_ path: String, _ identity: FileIdentity) throws(Unreadable) {
    // A link may lead to a folder above it.
    guard seenFolders.insert(identity).inserted else {
      found += 1
      return
    }
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
        guard let identity = FileIdentity(folder) else { throw Self.unreadable(folder) }
        try addFolder(folder, identity)
      } else if name.hasSuffix(".ds") || Lesson.isLesson(entry) {
        // A dangling link is reported as an unreadable script.
        guard Entry(entry, line: nil) != nil else { throw Self.unreadable(entry) }
        append(TestJob(path: entry))
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
      ![job.line, nil].contains { line in
        Entry(job.path, line: line).map(others.seen.contains) ?? false
      }
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

  /// The identity of a link itself.
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
}
