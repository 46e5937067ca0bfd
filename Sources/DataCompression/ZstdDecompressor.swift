internal import CZstd
package import DataTables

/// Decompresses zstd data (RFC 8878): frames, whose contents are joined. Skippable frames are
/// skipped.
package final class ZstdDecompressor: Decompressor {
  private var input = PendingInput()
  private let decoder: UnsafeMutableRawPointer
  private var isBetweenFrames = true

  private static let maximumPieceSize = 256 << 10

  /// - Throws: `TableError.io` when libzstd is not installed.
  package init() throws(TableError) {
    try Zstd.open()
    guard let decoder = czstd_decoder_new() else { throw .io("zstd: memory is exhausted") }
    self.decoder = decoder
  }

  deinit { czstd_decoder_free(decoder) }

  package var position: Int { input.position }
  package var isComplete: Bool { isBetweenFrames && input.isEmpty }

  package func append(_ bytes: [UInt8]) { input.append(bytes) }

  package func next() throws(CorruptData) -> [UInt8]? {
    while true {
      let hadInput = !input.isEmpty
      // Between two frames, the decoder expects input; within one, it may hold output.
      if isBetweenFrames, !hadInput { return nil }
      let (piece, result) = decoded()
      if czstd_is_error(result) != 0 {
        throw CorruptData(String(cString: czstd_description(result)).lowercased())
      }
      isBetweenFrames = result == 0
      if !piece.isEmpty { return piece }
      if !hadInput || input.isEmpty, !isBetweenFrames { return nil }
    }
  }

  private func decoded() -> (piece: [UInt8], result: Int) {
    var consumed = 0
    var result = 0
    let piece = [UInt8](unsafeUninitializedCapacity: Self.maximumPieceSize) { output, count in
      input.withUnread { unread in
        result = czstd_decode(
          decoder, unread.baseAddress, unread.count, &consumed, output.baseAddress, output.count,
          &count)
      }
    }
    input.consume(consumed)
    return (piece, result)
  }
}

/// The library libzstd.
enum Zstd {
  /// - Throws: `TableError.io` when the library is not installed.
  static func open() throws(TableError) {
    if let failure = czstd_open() {
      throw .io(
        "zstd needs the library libzstd (Debian's package libzstd1): \(String(cString: failure))")
    }
  }
}
