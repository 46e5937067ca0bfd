import DataTables
import Glibc

// Reading a file again after other programs have changed it.
extension FileLoader {
  private enum Change {
    case none
    /// Bytes were appended, but no complete line.
    case partOfLine
    /// Lines were appended; the last one ends at `end`.
    case lines(in: OpenFile, end: Int)
    /// The file was rewritten, truncated or replaced.
    case content
  }

  private static let maxAttempts = 8
  private static let pieceSize = 256 << 10

  /// Whether the file has other complete lines than `last`, or other content.
  /// - Throws: `TableError.io` when the file no longer exists.
  func hasChanged(since last: LoadedFile, cancellation: Cancellation) throws -> Bool {
    switch try change(since: last, cancellation: cancellation) {
    case .none, .partOfLine: false
    case .lines, .content: true
    }
  }

  /// Reads the appended lines if only lines were appended, and otherwise the whole file.
  ///
  /// A last line without a line end is not read as long as the file only grows. A file that is
  /// read as a whole is read as `load` does.
  @concurrent
  func reload(_ last: LoadedFile, cancellation: Cancellation) async throws -> LoadedFile {
    var attempt = 0
    while true {
      try cancellation.check()
      let start = FileStamp(ofFileAt: FileOverlay.readable(path))
      do {
        switch try change(since: last, cancellation: cancellation) {
        case .none, .partOfLine: return last
        case .lines(let file, let end):
          return try read(file, to: end, after: last, cancellation: cancellation)
        case .content: return try await load(cancellation: cancellation)
        }
      } catch {
        // A part of a file that is being written may not be readable.
        guard attempt < Self.maxAttempts, !cancellation.isCancelled,
          FileStamp(ofFileAt: FileOverlay.readable(path)) != start
        else { throw error }
        attempt += 1
        try await DeterministicExecutor.outside { try await Task.sleep(for: .milliseconds(10)) }
      }
    }
  }

  private func read(
    _ file: OpenFile, to end: Int, after last: LoadedFile, cancellation: Cancellation
  ) throws -> LoadedFile {
    let content = try content(of: file, upTo: end, cancellation: cancellation)
    let loaded =
      try TableGrowth.read(
        content.bytes, after: last.loaded, request: request, cancellation: cancellation)
      ?? formats.read(content.bytes, named: path, request: request, cancellation: cancellation)
    return try LoadedFile(
      loaded: loaded, stamp: file.stamp, content: content, companions: last.companions)
  }

  private func change(since last: LoadedFile, cancellation: Cancellation) throws -> Change {
    if companionStates != last.companions { return .content }
    // Most of many files are unchanged: they are not opened.
    if !last.isFresh, FileStamp(ofFileAt: FileOverlay.readable(path)) == last.stamp {
      return .none
    }
    let file = try OpenFile(path: path)
    if file.stamp == last.stamp, !last.isFresh { return .none }
    // Its permissions or its name may have changed, or its content within one tick of the clock.
    if let print = last.print, !last.hasRest, file.stamp.hasSameContent(as: last.stamp) {
      return try FilePrint(of: file, size: print.size) == print ? .none : .content
    }
    guard let content = last.content, let lineEnd = TableGrowth.lineEnd(of: last.loaded),
      let size = file.size, size >= content.bytes.count,
      file.stamp.isSameFile(as: last.stamp)
    else { return .content }
    let old = content.bytes
    if content.file == nil {
      guard try begins(file, with: old, cancellation: cancellation) else { return .content }
      if size == old.count { return .none }
    } else {
      guard let print = last.print, size >= last.stamp.size + (last.hasRest ? 0 : 1),
        try FilePrint(of: file, size: old.count) == print
      else { return .content }
    }
    let end = try FileBytes(file: file, count: size).end(ofLast: lineEnd, from: old.count)
    return end.map { .lines(in: file, end: $0) } ?? .partOfLine
  }

  /// Whether a file begins with bytes in memory.
  func begins(
    _ file: OpenFile, with bytes: any ByteStore, cancellation: Cancellation
  ) throws -> Bool {
    try withUnsafeTemporaryAllocation(byteCount: 2 * Self.pieceSize, alignment: 64) { memory in
      for start in stride(from: 0, to: bytes.count, by: Self.pieceSize) {
        try cancellation.check()
        let count = min(Self.pieceSize, bytes.count - start)
        let old = UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
        let new = UnsafeMutableRawBufferPointer(rebasing: memory[Self.pieceSize...].prefix(count))
        guard try bytes.read(at: start, into: old) == count,
          try file.read(at: start, into: new) == count,
          let oldStart = old.baseAddress, let newStart = new.baseAddress,
          memcmp(oldStart, newStart, count) == 0
        else { return false }
      }
      return true
    }
  }
}
