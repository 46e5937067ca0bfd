import DataTables
import Glibc

/// Reads a file as a table.
struct FileLoader: Sendable {
  let path: String
  var request: ReadRequest
  let formats: FormatTable
  /// Receives the progress of reading; nil for no reports.
  var progress: Progress?

  /// Maximum size of a file that is read into memory.
  static let maxWholeSize = 16 << 20
  /// Maximum size of a stream; a larger one is assumed to be endless.
  private static let maxStreamSize = 1 << 30
  private static let pieceSize = 1 << 20

  /// - Parameter end: the number of bytes to read; nil for all.
  // Concurrent, to leave the isolation of the source free while the file is read.
  @concurrent
  func load(upTo end: Int? = nil, cancellation: Cancellation) async throws -> LoadedFile {
    // Before the file is read, so that a later change is noticed.
    let companions = companionStates
    let file = try OpenFile(path: path)
    let read = try content(of: file, upTo: end, cancellation: cancellation)
    if read.bytes.count == 0, !formats.allowsEmptyFile(named: path, options: request.options) {
      throw TableError.format("`\(path)` is empty", at: nil)
    }
    let decompression = Decompression(formats: formats, progress: progress)
    let content = try decompression.content(
      of: read.bytes, named: path, options: request.options, cancellation: cancellation)
    var request = request
    if content.codecs.isEmpty, file.size != nil { request.path = path }
    let loaded = try decompression.table(
      of: content, request: request, cancellation: cancellation)
    return try LoadedFile(
      loaded: loaded, stamp: file.stamp, content: read, isCompressed: !content.codecs.isEmpty,
      companions: companions)
  }

  /// The states of the files beside the file that may have a part of its content.
  var companionStates: [FileState] {
    formats.companions.map { FileState(ofContentAt: FileOverlay.readable(path) + $0) }
  }

  /// Whether the path still names the loaded file with the same content. True for a file that
  /// cannot be read twice, such as a pipe.
  /// - Throws: `TableError.io` when the file no longer exists.
  func isUnchanged(since last: LoadedFile) throws -> Bool {
    var status = stat()
    let readablePath = FileOverlay.readable(path)
    guard OpenFile.retrying({ stat(readablePath, &status) }) == 0 else {
      throw OpenFile.failure("cannot open", path)
    }
    let kind = status.st_mode & S_IFMT
    if kind != S_IFREG && kind != S_IFDIR { return true }
    guard FileStamp(status) == last.stamp, companionStates == last.companions else { return false }
    guard last.isFresh, let print = last.print else { return true }
    return try FilePrint(of: OpenFile(path: path), size: print.size) == print
  }

  /// Whether the file can be read twice, unlike a pipe. True for a missing file.
  var isRepeatable: Bool {
    var status = stat()
    let readablePath = FileOverlay.readable(path)
    guard OpenFile.retrying({ stat(readablePath, &status) }) == 0 else { return true }
    return status.st_mode & S_IFMT == S_IFREG
  }

  func content(
    of file: OpenFile, upTo end: Int?, cancellation: Cancellation
  ) throws -> FileContent {
    guard let size = file.size.map({ min($0, end ?? $0) }) else {
      return FileContent(bytes: MemoryBytes(try stream(file, cancellation: cancellation)))
    }
    if size > Self.maxWholeSize {
      let bytes = FileBytes(file: file, count: size)
      file.allowGrowth(of: try FilePrint(of: file, size: size))
      return FileContent(
        bytes: progress.map { CountedBytes(bytes, named: name, progress: $0) } ?? bytes, file: file)
    }
    return FileContent(bytes: try whole(file, size: size, cancellation: cancellation))
  }

  func whole(
    _ file: OpenFile, size: Int, cancellation: Cancellation
  ) throws -> WholeBytes {
    let phase = progress?.begin(name, unit: .bytes, total: size)
    defer { phase?.end() }
    let bytes = try WholeBytes(count: size) { memory in
      for start in stride(from: 0, to: size, by: Self.pieceSize) {
        try cancellation.check()
        let piece = UnsafeMutableRawBufferPointer(
          rebasing: memory[start..<min(size, start + Self.pieceSize)])
        guard try file.read(at: start, into: piece) == piece.count else { throw file.changedError }
        phase?.advance(by: piece.count)
      }
    }
    do {
      try file.checkUnchanged()
    } catch TableError.changed {
      // The bytes are still those of the file if it only grew meanwhile.
      guard try begins(file, with: bytes, cancellation: cancellation) else {
        throw file.changedError
      }
    }
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
        guard bytes.count <= Self.maxStreamSize else {
          throw TableError.io("`\(path)` does not end within \(Self.maxStreamSize >> 20) MiB")
        }
        // An empty read is not always the end: a pipe that has no writer yet also returns no bytes.
        if piece.isEmpty, !bytes.isEmpty || file.isAtEnd() { return bytes }
      } else {
        file.waitForBytes()
      }
    }
  }

  /// The last component of the path.
  var name: String { path.lastPathComponent }
}
