import DataTables
import Glibc

/// Reads a file as a table.
struct FileLoader: Sendable {
  let path: String
  let options: ReadOptions
  /// What is told how far reading is; nil when nobody wants to know.
  var progress: Progress?

  /// Files up to this size are read whole.
  static let wholeSize = 16 << 20
  /// Streams have no size that tells beforehand; those beyond this have no end either.
  static let streamLimit = 1 << 30
  private static let pieceSize = 1 << 20

  // Elsewhere, so that the isolation of the source is free while it reads.
  @concurrent
  func load(cancellation: Cancellation) async throws -> LoadedFile {
    let file = try OpenFile(path: path)
    let bytes = try bytes(of: file, cancellation: cancellation)
    if bytes.count == 0, !takesNoBytes {
      throw TableError.format("`\(path)` holds no bytes", at: nil)
    }
    let loaded = try TableFormats.read(
      bytes, named: path, options: options, cancellation: cancellation)
    return LoadedFile(loaded: loaded, stamp: file.stamp)
  }

  /// Whether the file is the one that was loaded, as it was. What cannot be read twice, a pipe, is.
  /// - Throws: `TableError.io` when it is not there any more.
  func isUnchanged(since stamp: FileStamp) throws(TableError) -> Bool {
    var facts = stat()
    let place = FileOverlay.readable(path)
    let status = OpenFile.retrying { stat(place, &facts) }
    guard status == 0 else { throw OpenFile.failure("cannot open", path) }
    let kind = facts.st_mode & S_IFMT
    return FileStamp(facts) == stamp || kind != S_IFREG && kind != S_IFDIR
  }

  /// Whether it can be read twice: a pipe cannot.
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
        // A pipe that nobody has written to yet looks like one at its end.
        if piece.isEmpty, !bytes.isEmpty || file.isAtEnd() { return bytes }
      } else {
        file.waitForBytes()
      }
    }
  }

  /// The file without its folder.
  private var name: String { path.split(separator: "/").last.map { String($0) } ?? path }

  /// Whether the format is one that no bytes are legal in.
  private var takesNoBytes: Bool {
    let ending = path.split(separator: "/").last?.split(separator: ".").last?.lowercased() ?? ""
    let format = TableFormats.all.first { format in
      options.format.map(format.names.contains) ?? format.extensions.contains(ending)
    }
    return format?.names.contains("ndjson") ?? false
  }
}

/// A table, what was found, and the state of the file it came from.
struct LoadedFile: Sendable {
  let loaded: LoadedTable
  let stamp: FileStamp
}
