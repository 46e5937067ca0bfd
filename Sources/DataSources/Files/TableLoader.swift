import DataTables

/// Reads a file, or several files, as a table.
protocol TableLoader: Sendable {
  /// The path of the file, or the pattern or folder of the files.
  var path: String { get }
  var request: ReadRequest { get set }
  var formats: FormatTable { get }
  var progress: Progress? { get set }
  /// Whether the files can be read twice, unlike a pipe.
  var isRepeatable: Bool { get }

  /// Reads the files.
  /// - Parameter old: the files of the previous load; unchanged ones need not be read again.
  func load(replacing old: [ReadFile], cancellation: Cancellation) async throws -> LoadedFiles

  /// Reads files that other programs have changed: where only lines were appended, these lines. A
  /// last line without a line end is not read as long as its file only grows.
  func reload(_ old: [ReadFile], cancellation: Cancellation) async throws -> LoadedFiles

  /// Whether a load would read the same files with the same content.
  func isUnchanged(since old: [ReadFile], cancellation: Cancellation) throws -> Bool

  /// Whether a reload would read other content.
  func hasChanged(since old: [ReadFile], cancellation: Cancellation) async throws -> Bool

  /// The files and the folders in which a change can change the result of a load.
  /// - Throws: `TableError`: `limit` for too many files, `cancelled`.
  func observedPaths(cancellation: Cancellation) throws(TableError) -> ObservedPaths
}

/// Files, and folders with all of their files, that are observed for changes.
package struct ObservedPaths: Equatable {
  package var files: [String] = []
  package var folders: [String] = []

  package init(files: [String] = [], folders: [String] = []) {
    self.files = files
    self.folders = folders
  }
}

/// A file that was read. A class, because lists of thousands of files are copied.
final class ReadFile: Sendable {
  let path: String
  let file: LoadedFile
  /// The options with which it was read.
  let options: ReadOptions
  /// The same objects with some columns as strings, because other files have strings there.
  let unified: (keys: Set<String>, file: LoadedFile)?

  init(
    path: String, file: LoadedFile, options: ReadOptions,
    unified: (keys: Set<String>, file: LoadedFile)? = nil
  ) {
    self.path = path
    self.file = file
    self.options = options
    self.unified = unified
  }

  func with(unified: (keys: Set<String>, file: LoadedFile)?) -> ReadFile {
    ReadFile(path: path, file: file, options: options, unified: unified)
  }

  var loaded: LoadedTable { file.loaded }
}

/// The table of all files that were read.
struct LoadedFiles: Sendable {
  let loaded: LoadedTable
  let files: [ReadFile]

  init(loaded: LoadedTable, files: [ReadFile]) {
    self.loaded = loaded
    self.files = files
  }

  /// A single file.
  init(_ file: LoadedFile, from loader: FileLoader) {
    let read = ReadFile(path: loader.path, file: file, options: loader.request.options)
    self.init(loaded: file.loaded, files: [read])
  }
}

extension FileLoader: TableLoader {
  func load(replacing old: [ReadFile], cancellation: Cancellation) async throws -> LoadedFiles {
    let file = try await load(cancellation: cancellation)
    // Some of several files, and pages of a remote source, may lack the path.
    if let missing = file.loaded.report.missingPath { throw TableError.format(missing, at: nil) }
    return LoadedFiles(file, from: self)
  }

  @concurrent
  func reload(_ old: [ReadFile], cancellation: Cancellation) async throws -> LoadedFiles {
    guard let last = old.first else {
      return try await load(replacing: old, cancellation: cancellation)
    }
    return LoadedFiles(try await reload(last.file, cancellation: cancellation), from: self)
  }

  func isUnchanged(since old: [ReadFile], cancellation: Cancellation) throws -> Bool {
    guard let last = old.first, !last.file.hasRest else { return false }
    return try isUnchanged(since: last.file)
  }

  @concurrent
  func hasChanged(since old: [ReadFile], cancellation: Cancellation) async throws -> Bool {
    guard let last = old.first else { return true }
    return try hasChanged(since: last.file, cancellation: cancellation)
  }

  func observedPaths(cancellation: Cancellation) -> ObservedPaths {
    let places = FileOverlay.places(of: path)
    let isNamed = formats.format(ofFileNamed: path)?.companions.isEmpty == false
    let beside = formats.companions.flatMap { suffix in places.map { $0 + suffix } }
      .filter { isNamed || FileStamp(ofFileAt: $0) != nil }
    return ObservedPaths(files: places + beside)
  }
}
