internal import CZlib
import DataTables

/// Compresses with zlib.
final class DeflateCompressor: Compressor {
  enum Form { case gzip, raw }

  private let stream: UnsafeMutablePointer<z_stream>
  private let isReady: Bool

  private static let pieceSize = 64 << 10

  init(_ form: Form) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let windowBits =
      switch form {
      case .gzip: MAX_WBITS + 16
      case .raw: -MAX_WBITS
      }
    isReady =
      deflateInit2_(
        stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  func compress(_ bytes: [UInt8]) throws -> [UInt8] { try run(bytes, Z_NO_FLUSH) }

  func finish() throws -> [UInt8] { try run([], Z_FINISH) }

  private func run(_ bytes: [UInt8], _ flush: Int32) throws(TableError) -> [UInt8] {
    guard isReady else { throw .io("gzip: memory is exhausted") }
    var output: [UInt8] = []
    var bytes = bytes
    var consumed = 0
    var hasRoom = false
    while !hasRoom || consumed < bytes.count {
      var status = Z_OK
      let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
        bytes.withUnsafeMutableBufferPointer { input in
          let available = uInt(clamping: input.count - consumed)
          stream.pointee.next_in = input.baseAddress.map { $0 + consumed }
          stream.pointee.avail_in = available
          stream.pointee.next_out = buffer.baseAddress
          stream.pointee.avail_out = uInt(clamping: buffer.count)
          status = deflate(stream, flush)
          consumed += Int(available - stream.pointee.avail_in)
          count = buffer.count - Int(stream.pointee.avail_out)
        }
      }
      guard status != Z_STREAM_ERROR else { throw .io("gzip: the compressor failed") }
      output += piece
      hasRoom = stream.pointee.avail_out > 0
    }
    return output
  }
}
