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

  /// Whether a load would read the same files with the same content.
  func isUnchanged(since old: [ReadFile], cancellation: Cancellation) throws -> Bool
}

/// A file that was read.
struct ReadFile: Sendable {
  let path: String
  let stamp: FileStamp
  let loaded: LoadedTable
  /// The options with which it was read.
  var options = ReadOptions()
  /// The same objects with some columns as strings, because other files have strings there.
  var unified: (keys: Set<String>, loaded: LoadedTable)?
}

/// The table of all files that were read.
struct LoadedFiles: Sendable {
  let loaded: LoadedTable
  let files: [ReadFile]
}

extension FileLoader: TableLoader {
  func load(replacing old: [ReadFile], cancellation: Cancellation) async throws -> LoadedFiles {
    let file = try await load(cancellation: cancellation)
    return LoadedFiles(
      loaded: file.loaded,
      files: [
        ReadFile(path: path, stamp: file.stamp, loaded: file.loaded, options: request.options)
      ])
  }

  func isUnchanged(since old: [ReadFile], cancellation: Cancellation) throws -> Bool {
    guard let file = old.first else { return false }
    return try isUnchanged(since: file.stamp)
  }
}
