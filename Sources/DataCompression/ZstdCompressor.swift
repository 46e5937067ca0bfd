internal import CZstd
import DataTables

/// Compresses with libzstd into one frame with a checksum.
final class ZstdCompressor: Compressor {
  private let encoder: UnsafeMutableRawPointer

  /// The default level of the program `zstd`.
  private static let level: Int32 = 3
  private static let pieceSize = 128 << 10

  /// - Throws: `TableError.io` when libzstd is not installed.
  init() throws(TableError) {
    try Zstd.open()
    guard let encoder = czstd_encoder_new(Self.level) else {
      throw .io("zstd: memory is exhausted")
    }
    self.encoder = encoder
  }

  deinit { czstd_encoder_free(encoder) }

  func compress(_ bytes: [UInt8]) throws -> [UInt8] { try run(bytes, ends: false) }

  func finish() throws -> [UInt8] { try run([], ends: true) }

  private func run(_ bytes: [UInt8], ends: Bool) throws(TableError) -> [UInt8] {
    var output: [UInt8] = []
    var consumed = 0
    var rest = 0
    repeat {
      let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
        bytes.withUnsafeBytes { input in
          let unread = UnsafeRawBufferPointer(rebasing: input[consumed...])
          var read = 0
          rest = czstd_encode(
            encoder, unread.baseAddress, unread.count, &read, buffer.baseAddress, buffer.count,
            &count, ends ? 1 : 0)
          consumed += read
        }
      }
      guard czstd_is_error(rest) == 0 else {
        throw .io("zstd: \(String(cString: czstd_description(rest)))")
      }
      output += piece
    } while consumed < bytes.count || ends && rest > 0
    return output
  }
}
