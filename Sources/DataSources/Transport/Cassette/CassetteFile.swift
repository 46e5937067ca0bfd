import DataTables
import Glibc

/// The file to which a cassette is recorded.
///
/// A reader never mistakes a partial exchange for a complete one. Either the whole file is written,
/// or an exchange is appended after the mark ``CassetteText/unfinished``. When all of the exchange
/// is written, a line feed replaces the mark. A file that another program has written since the
/// recording began is not changed: two recordings would be mixed, or one lost.
struct CassetteFile: Sendable {
  let path: String
  /// The file as the recording found or left it; nil without a file.
  private var stamp: FileStamp?
  /// Whether the file has all exchanges that were given.
  private var isComplete = false

  /// Begins a recording.
  init(path: String) {
    self.path = path
    stamp = FileStamp(ofFileAt: FileOverlay.readable(path))
  }

  /// - Complexity: O(bytes of all exchanges).
  /// - Throws: `TableError.io`, also if another program has written the file.
  mutating func write(_ exchanges: [String]) throws(TableError) {
    let draft = try FileDraft(of: path)
    isComplete = false
    // A file that was removed is made again.
    guard draft.old.map(isOwn) ?? true else { throw changed }
    try draft.append(CassetteText.text(of: exchanges))
    guard let file = try draft.commit(isSynced: false, cancellation: nil) else { throw changed }
    stamp = file.stamp
    isComplete = true
  }

  /// Whether only this recording has written the file since it began.
  private func isOwn(_ found: FileStamp) -> Bool {
    stamp.map { found.hasSameContent(as: $0) } ?? false
  }

  private var changed: TableError {
    .io(
      "`\(path)` was changed during the recording; write `cassette FILE mode: record` with another "
        + "file, and fetch again")
  }

  /// Appends an exchange.
  ///
  /// - Returns: Whether the exchange was appended; false if another program has written the file, or
  ///   if it cannot be written.
  /// - Complexity: O(bytes of the exchange).
  mutating func append(_ exchange: String) -> Bool {
    guard isComplete, let start = stamp?.size, let place = try? FileOverlay.writable(path),
      let descriptor = try? RegularFile.open(place, flags: 0, named: path)
    else { return false }
    defer { close(descriptor) }
    guard let found = FileStamp(of: descriptor), isOwn(found) else { return false }
    let bytes = [CassetteText.unfinished] + exchange.utf8
    isComplete =
      Self.write(bytes, at: start, to: descriptor)
      && Self.write([UInt8(ascii: "\n")], at: start, to: descriptor)
    if !isComplete { ftruncate(descriptor, start) }
    stamp = FileStamp(of: descriptor) ?? stamp
    return isComplete
  }

  private static func write(_ bytes: [UInt8], at start: Int, to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
        let count = OpenFile.retrying {
          pwrite(descriptor, rest.baseAddress, rest.count, start + written)
        }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
  }
}
