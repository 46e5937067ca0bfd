import DataTables

/// The bytes of a large file, read where they are looked at.
///
/// The file stays open: renaming or deleting it does no harm. One that is rewritten in place is
/// `changed` from then on.
struct FileBytes: ByteStore {
  let file: OpenFile
  let count: Int

  func checkUnchanged() throws { try file.checkUnchanged() }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    try file.checkUnchanged()
    guard offset >= 0, offset < count, buffer.count > 0 else { return 0 }
    let length = min(buffer.count, count - offset)
    let filled = try file.read(
      at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<length]))
    // Cut off between the check and the read.
    guard filled == length else { throw file.changed }
    return filled
  }
}
