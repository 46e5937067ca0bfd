import DataTables
import Foundation
import Glibc
import TestSupport
import Testing

@testable import DataSources

/// Random changes of a watched file, compared with a fresh load after each burst.
struct WatchedFilePropertyTests {
  private let folder: TemporaryFolder
  private let monitors = SourceMonitors()

  init() throws { folder = try TemporaryFolder() }

  /// A file whose lines are written as another program would.
  private struct File {
    let folder: TemporaryFolder
    let name: String
    var random: SplitMix64
    /// Whether lines are many, so that appended lines are read alone.
    let isLarge: Bool
    /// The end of a line whose beginning was written.
    var pending = ""

    var path: String { folder.path(of: name) }

    private var header: String {
      name.hasSuffix("csv") ? "n,name\n" : name.hasSuffix("tsv") ? "n\tname\n" : ""
    }

    mutating func line() -> String {
      let number = random.below(100)
      if name.hasSuffix("csv") { return "\(number),n\(random.below(9))\n" }
      if name.hasSuffix("tsv") { return "\(number)\tn\(random.below(9))\n" }
      return "{\"n\": \(number), \"name\": \"é\"}\n"
    }

    mutating func text(_ lines: Int) -> String {
      header + (0..<lines).map { _ in line() }.joined()
    }

    /// Over 1 MiB in few rows.
    mutating func longText() -> String {
      let cell = String(repeating: "x", count: 2_000)
      return header
        + (0..<600).map { _ in line().replacingOccurrences(of: "n", with: "n" + cell) }.joined()
    }

    func append(_ text: String) { folder.append(text, to: name) }

    mutating func change() throws {
      let isAppend = isLarge && random.below(4) > 0
      let kind = isAppend ? 9 : random.below(12)
      // The file is replaced.
      if kind < 7 { pending = "" }
      let text = text(random.below(30) + 1)
      switch kind {
      case 0: try folder.write(text, to: name)
      case 1, 2:
        try folder.write(text, to: "draft")
        rename(folder.path(of: "draft"), path)
      case 3: truncate(path, header.utf8.count)
      case 4:
        try folder.remove(name)
        try folder.write(text, to: name)
      case 5:
        // As logrotate does, with and without `copytruncate`.
        rename(path, folder.path(of: "log.1"))
        try folder.write(text, to: name)
      case 6:
        truncate(path, 0)
        append(text)
      case 7: chmod(path, random.below(2) == 0 ? 0o600 : 0o644)
      case 8:
        let line = line()
        append(pending + line.prefix(line.count / 2))
        pending = String(line.suffix(line.count - line.count / 2))
      default:
        append(pending)
        pending = ""
        for _ in 0...random.below(4) { append(line()) }
      }
    }
  }

  private func objects(_ source: SimpleSource) async throws -> SectionedObjects {
    SectionedObjects([
      SectionedObjects.Section(title: "", objects: try await source.allObjects())
    ])
  }

  /// Reads changes and applies them to a content, until it is that of a fresh load.
  private func apply(
    changesOf source: SimpleSource, to mirror: inout SectionedObjects,
    until fresh: SectionedObjects, seed: Int
  ) async throws {
    var attempts = 0
    while mirror != fresh, attempts < 2_000 {
      if try await !monitors.readChanges(cancellation: Cancellation()).isEmpty, source.error == nil
      {
        let new = try await objects(source)
        mirror = try await mirror.applying(source.changes(), from: new)
        #expect(mirror == new, "seed \(seed)")
      }
      attempts += 1
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(attempts < 2_000, "seed \(seed)")
  }

  @Test(arguments: 1...6, ["log.csv", "log.tsv", "log.ndjson"])
  func aWatchedFileHasTheContentOfAFreshLoad(seed: Int, name: String) async throws {
    var file = File(
      folder: folder, name: name, random: SplitMix64(seed: UInt64(seed)), isLarge: seed == 6)
    let start = file.isLarge ? file.longText() : file.text(20)
    let source = try await SimpleSource.load(
      try folder.write(start, to: name), formats: .core, name: name)
    let listener = Listener()
    source.delegate = listener
    try monitors.observe(
      [(source, seed % 3 == 0 ? .milliseconds(5) : nil)], clock: AdjustableClock(),
      cancellation: Cancellation())
    /// The content according to all changes.
    var mirror = try await objects(source)
    for _ in 0..<15 {
      for _ in 0...file.random.below(2) { try file.change() }
      // The beginning of a line may be a row, or not yet.
      if !file.pending.isEmpty, file.random.below(2) == 0 {
        _ = try await monitors.readChanges(cancellation: Cancellation())
        mirror = try await objects(source)
      }
      file.append(file.pending)
      file.pending = ""
      let fresh = try await objects(SimpleSource.load(folder.path(of: name), formats: .core))
      try await apply(changesOf: source, to: &mirror, until: fresh, seed: seed)
      #expect(try await source.brokenInvariants(readingAtMost: 2_000).isEmpty)
    }
    let rounds = listener.events.joined(separator: ",")
      .replacingOccurrences(of: name + " ", with: "")
      .replacingOccurrences(of: "will,changes,finished", with: "+")
      .replacingOccurrences(of: "will,failed", with: "-")
    #expect(rounds.split(separator: ",").allSatisfy { $0 == "+" || $0 == "-" }, "\(rounds)")
  }

  @Test(arguments: 1...4) func watchedFoldersHaveTheContentOfAFreshLoad(seed: Int) async throws {
    var random = SplitMix64(seed: UInt64(seed))
    var files = ["a.csv", "b.csv", "c.csv"].enumerated().map {
      File(
        folder: folder, name: $1, random: SplitMix64(seed: UInt64(seed * 10 + $0)),
        isLarge: seed == 4 && $0 == 1)
    }
    for index in files.indices {
      try folder.write(
        files[index].isLarge ? files[index].longText() : files[index].text(5), to: files[index].name
      )
    }
    let source = try await SimpleSource.load(all: folder.path + "/*.csv", formats: .core)
    try monitors.observe([(source, nil)], clock: AdjustableClock(), cancellation: Cancellation())
    var mirror = try await objects(source)
    for _ in 0..<10 {
      let index = random.below(files.count)
      try files[index].change()
      files[index].append(files[index].pending)
      files[index].pending = ""
      let fresh = try await objects(SimpleSource.load(all: folder.path + "/*.csv", formats: .core))
      try await apply(changesOf: source, to: &mirror, until: fresh, seed: seed)
    }
  }
}
