import DataTables
import Glibc

/// The file to which a cassette is recorded.
///
/// A reader never mistakes a partial exchange for a complete one. Either the whole file is written,
/// or an exchange is appended after the mark ``CassetteText/unfinished``. When all of the exchange
/// is written, a line feed replaces the mark.
struct CassetteFile: Sendable {
  let path: String
  /// The size of the file in bytes; nil if its content may differ from the recorded exchanges.
  private var size: Int?

  init(path: String) { self.path = path }

  /// - Complexity: O(bytes of all exchanges).
  /// - Throws: `TableError.io`.
  mutating func write(_ exchanges: [String]) throws(TableError) {
    let bytes = CassetteText.text(of: exchanges)
    size = nil
    try WholeFile.write(bytes, to: path)
    size = bytes.count
  }

  /// Appends an exchange.
  ///
  /// - Returns: Whether the exchange was appended; false if the size of the file has changed since
  ///   the last write, or if the file cannot be written.
  /// - Complexity: O(bytes of the exchange).
  mutating func append(_ exchange: String) -> Bool {
    guard let start = size else { return false }
    size = nil
    guard let place = try? FileOverlay.writable(path),
      let descriptor = try? RegularFile.open(place, flags: 0, named: path)
    else { return false }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_size == start else { return false }
    let bytes = [CassetteText.unfinished] + exchange.utf8
    guard Self.write(bytes, at: start, to: descriptor),
      Self.write([UInt8(ascii: "\n")], at: start, to: descriptor)
    else {
      ftruncate(descriptor, start)
      return false
    }
    size = start + bytes.count
    return true
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
