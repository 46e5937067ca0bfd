import DataTables
import Glibc

/// Reads a file as a table.
struct FileLoader: Sendable {
  let path: String
  let options: ReadOptions
  /// Receives the progress of reading; nil to report none.
  var progress: Progress?

  /// Files up to this size are read into memory.
  static let wholeSize = 16 << 20
  /// The size of a stream is unknown; one larger than this is taken to be endless.
  static let streamLimit = 1 << 30
  private static let pieceSize = 1 << 20

  // Concurrent, so that the isolation of the source is free while it reads.
  @concurrent
  func load(cancellation: Cancellation) async throws -> LoadedFile {
    let file = try OpenFile(path: path)
    let bytes = try bytes(of: file, cancellation: cancellation)
    if bytes.count == 0, !allowsEmptyFile {
      throw TableError.format("`\(path)` is empty", at: nil)
    }
    let loaded = try TableFormats.read(
      bytes, named: path, options: options, cancellation: cancellation)
    return LoadedFile(loaded: loaded, stamp: file.stamp)
  }

  /// Whether the file is the one that was loaded and has the same content. True for a file that
  /// cannot be read twice, such as a pipe.
  /// - Throws: `TableError.io` when the file no longer exists.
  func isUnchanged(since stamp: FileStamp) throws(TableError) -> Bool {
    var facts = stat()
    let place = FileOverlay.readable(path)
    let status = OpenFile.retrying { stat(place, &facts) }
    guard status == 0 else { throw OpenFile.failure("cannot open", path) }
    let kind = facts.st_mode & S_IFMT
    return FileStamp(facts) == stamp || kind != S_IFREG && kind != S_IFDIR
  }

  /// Whether the file can be read twice: a pipe cannot.
  var isRepeatable: Bool {
    var facts = stat()
    let place = FileOverlay.readable(path)
    guard OpenFile.retrying({ stat(place, &facts) }) == 0 else { return true }
    return facts.st_mode & S_IFMT == S_IFREG
  }

  private func bytes(of file: OpenFile, cancellation: Cancellation) throws -> any ByteStore {
    guard let size = file.size else {
      return MemoryBytes(try stream(file, cancellation: cancellation))
    }
    if size > Self.wholeSize {
      let bytes = FileBytes(file: file, count: size)
      return progress.map { CountedBytes(bytes, named: name, progress: $0) } ?? bytes
    }
    return try whole(file, size: size, cancellation: cancellation)
  }

  private func whole(
    _ file: OpenFile, size: Int, cancellation: Cancellation
  ) throws -> WholeBytes {
    let phase = progress?.begin(name, unit: .bytes, total: size)
    defer { phase?.end() }
    let bytes = try WholeBytes(count: size) { memory in
      for start in stride(from: 0, to: size, by: Self.pieceSize) {
        try cancellation.check()
        let piece = UnsafeMutableRawBufferPointer(
          rebasing: memory[start..<min(size, start + Self.pieceSize)])
        guard try file.read(at: start, into: piece) == piece.count else { throw file.changed }
        phase?.advance(by: piece.count)
      }
    }
    try file.checkUnchanged()
    return bytes
  }

  private func stream(_ file: OpenFile, cancellation: Cancellation) throws -> [UInt8] {
    let phase = progress?.begin(name, unit: .bytes)
    defer { phase?.end() }
    var bytes: [UInt8] = []
    while true {
      try cancellation.check()
      if let piece = try file.readNext(1 << 16) {
        bytes += piece
        phase?.advance(by: piece.count)
        guard bytes.count <= Self.streamLimit else {
          throw TableError.io("`\(path)` does not end within \(Self.streamLimit >> 20) MiB")
        }
        // A pipe without a writer yet looks like one at its end.
        if piece.isEmpty, !bytes.isEmpty || file.isAtEnd() { return bytes }
      } else {
        file.waitForBytes()
      }
    }
  }

  /// The file without its folder.
  private var name: String { path.split(separator: "/").last.map { String($0) } ?? path }

  /// Whether an empty file is legal in the format.
  private var allowsEmptyFile: Bool {
    let ending = path.split(separator: "/").last?.split(separator: ".").last?.lowercased() ?? ""
    let format = TableFormats.all.first { format in
      options.format.map(format.names.contains) ?? format.extensions.contains(ending)
    }
    return format?.names.contains("ndjson") ?? false
  }
}

/// A table with its load report, and the state of the file that it was read from.
struct LoadedFile: Sendable {
  let loaded: LoadedTable
  let stamp: FileStamp
}
