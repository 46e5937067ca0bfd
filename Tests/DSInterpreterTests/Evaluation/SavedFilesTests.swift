import DSInterpreter
import DataSources
import DataTables
import Foundation
import Testing

/// Real files that are edited and saved: an edit changes the bytes of its rows alone, and when all
/// edits are undone, the file has the bytes that it had.
struct SavedFilesTests {
  /// The data files of the repository as they are, and with other line ends and encodings.
  @Test(arguments: Spelling.allCases)
  func filesOfTheRepositorySurvive(spelling: Spelling) async throws {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let files = DataFiles.below(
      ["Scripts/data", "Tests", "Benchmarks/data"].map { "/\(root)/\($0)" })
    let checked = try await check(files, spelling)
    #expect(checked >= 35, "\(checked) of \(files.count) files")
  }

  /// Files that other programs have installed. Many of them are JSON texts without a record that has
  /// a string or a number.
  @Test(.enabled(if: DataFiles.installed.count >= 30, "few data files are installed"))
  func installedFilesSurvive() async throws {
    let files = DataFiles.installed
    let checked = try await check(files, .asItIs)
    #expect(checked >= files.count / 3, "\(checked) of \(files.count) files")
  }

  /// - Returns: the number of files that can be loaded and whose bytes can be kept.
  private func check(_ files: [String], _ spelling: Spelling) async throws -> Int {
    let folder = FileManager.default.temporaryDirectory.path + "/saved-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var checked = 0
    for file in files {
      let name = file.split(separator: "/").last.map(String.init) ?? ""
      let path = folder + "/" + name
      guard let bytes = try spelling.spelled([UInt8](Data(contentsOf: URL(filePath: file)))) else {
        continue
      }
      try Data(bytes).write(to: URL(filePath: path))
      guard let source = try? await SimpleSource.load(path, formats: .standard),
        source.keepsBytes, source.numberOfRows > 0
      else { continue }
      let isChecked = try await FileCheck(file: file, path: path, bytes: bytes, source: source)
        .run()
      if isChecked { checked += 1 }
    }
    return checked
  }
}

/// How the text of a file is spelled.
enum Spelling: CaseIterable {
  case asItIs, carriageReturns, withoutLastEnd, withMark, utf16

  /// nil for a text that has no such spelling.
  func spelled(_ bytes: [UInt8]) -> [UInt8]? {
    guard let text = String(validating: bytes, as: UTF8.self), bytes.first != 0xEF else {
      return self == .asItIs ? bytes : nil
    }
    switch self {
    case .asItIs: return bytes
    case .carriageReturns:
      guard !bytes.contains(0x0D) else { return nil }
      return bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
    case .withoutLastEnd:
      guard let last = bytes.last, last == 0x0A else { return nil }
      return Array(bytes.reversed().drop { $0 == 0x0A || $0 == 0x0D }.reversed())
    case .withMark: return [0xEF, 0xBB, 0xBF] + bytes
    case .utf16: return [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }
  }
}

/// Data files in folders of this machine.
private enum DataFiles {
  private static let extensions = ["csv", "tsv", "tab", "json", "ndjson", "jsonl"]
  private static let maxSize = 256 << 10
  private static let maxPerFolder = 3
  private static let maxInstalled = 250

  static let installed = Array(
    below(["/usr/share", "/usr/lib", "/usr/local", "/etc"], atMost: maxPerFolder)
      .prefix(maxInstalled))

  /// The files below some folders, without links, in the order of their paths.
  static func below(_ folders: [String], atMost count: Int = .max) -> [String] {
    var found: [String] = []
    for folder in folders {
      var counts: [String: Int] = [:]
      let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
      for name in names.sorted() {
        let url = URL(filePath: folder + "/" + name)
        guard extensions.contains(url.pathExtension.lowercased()),
          let values = try? url.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey]),
          values.isRegularFile == true, let size = values.fileSize, (1...maxSize).contains(size)
        else { continue }
        counts[url.deletingLastPathComponent().path, default: 0] += 1
        if counts[url.deletingLastPathComponent().path, default: 0] <= count {
          found.append(url.path)
        }
      }
    }
    return found
  }
}

/// Edits of one file.
private struct FileCheck {
  let file: String
  /// The path of a copy, which is edited.
  let path: String
  let bytes: [UInt8]
  let source: SimpleSource

  private var found: [UInt8] { get throws { try [UInt8](Data(contentsOf: URL(filePath: path))) } }

  /// - Returns: false for a file without a cell that can be edited.
  func run() async throws -> Bool {
    let objects = try objects(of: source)
    let middle = objects.count / 2
    guard let edit = Self.edit(of: objects, at: middle) else { return false }
    var edits: [Edit] = [edit.update]
    // The text may be one value, in which no other row has a place.
    if objects.count > 1 {
      edits += [
        .insert(objects[middle], at: middle), .remove(IndexPath(section: 0, row: objects.count)),
      ]
    }
    for edit in edits { try await source.edit(edit) }
    let hasMixedLineEnds = source.report?.lineEnds?.contains("mixed") == true
    do {
      try await save()
      let again = try await SimpleSource.load(path, formats: .standard)
      #expect(again.numberOfRows == objects.count, "\(file)")
    } catch SourceError.data(.badArgument) where hasMixedLineEnds {
      // With these rows, the line ends would be read in another way.
      #expect(try found == bytes, "\(file): other bytes after a save that was refused")
    }
    for _ in edits { try await source.undoEdit() }
    try await save()
    #expect(try found == bytes, "\(file): other bytes after undo")

    try await source.edit(edit.update)
    try await save()
    try checkCell(from: edit.old, to: edit.new)
    try await checkOthers(objects, edit)
    try await source.undoEdit()
    try await save()
    #expect(try found == bytes, "\(file): other bytes after the second undo")
    return true
  }

  private func save() async throws {
    try await source.saveEdits(RequestContext(cancellation: Cancellation()))
  }

  private func objects(of source: SimpleSource) throws -> [Value] {
    try source.table.objects(at: Array(0..<source.numberOfRows))
  }

  /// The update of a string or a number near the middle of a row.
  private static func edit(
    of objects: [Value], at row: Int
  ) -> (update: Edit, key: String, old: String, new: String)? {
    guard case .record(let record) = objects[row] else { return nil }
    let cells = zip(record.keys, record.values).filter { _, value in
      switch value {
      case .string(let text): text != ""
      case .integer, .real: true
      default: false
      }
    }
    guard !cells.isEmpty else { return nil }
    let (key, old) = cells[cells.count / 2]
    let text: String
    let new: Value
    if case .string(let string) = old {
      (text, new) = (string, .string("edited é"))
    } else {
      (text, new) = (old.json, old == .integer(7) ? .integer(8) : .integer(7))
    }
    let path = IndexPath(section: 0, row: row)
    return (.update(path, Record([(key, new)])), key, text, new.json)
  }

  /// Checks that the bytes differ in one place, which has the size of the cell.
  private func checkCell(from old: String, to new: String) throws {
    let found = try found
    let start = zip(found, bytes).prefix { $0 == $1 }.count
    let end = zip(found.dropFirst(start).reversed(), bytes.dropFirst(start).reversed())
      .prefix { $0 == $1 }.count
    // A character has up to 6 bytes, and there may be quotes.
    #expect(bytes.count - start - end <= 6 * old.utf8.count + 4, "\(file): other bytes differ")
    #expect(found.count - start - end <= 6 * new.utf8.count + 4, "\(file): other bytes differ")
  }

  /// Checks that a load reads the old values but one.
  private func checkOthers(
    _ objects: [Value], _ edit: (update: Edit, key: String, old: String, new: String)
  ) async throws {
    let again = try await SimpleSource.load(path, formats: .standard)
    let now = try self.objects(of: again)
    #expect(now.count == objects.count, "\(file)")
    for (row, (old, new)) in zip(objects, now).enumerated() {
      guard case .record(let old) = old, case .record(let new) = new else { continue }
      let edited = row == objects.count / 2 ? edit.key : nil
      for (key, value) in zip(old.keys, old.values) where key != edited {
        #expect(new[key] == value, "\(file): row \(row), \(key)")
      }
    }
  }
}
