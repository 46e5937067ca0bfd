internal import CZlib

/// Decompresses deflate data (RFC 1951) with zlib.
final class Inflater {
  private let stream: UnsafeMutablePointer<z_stream>
  private let isReady: Bool
  private(set) var isAtEnd = false
  private var failure: CorruptData?

  /// The maximum number of bytes that ``next(from:)`` returns.
  private static let maximumPieceSize = 256 << 10

  init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    isReady =
      inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Prepares for another stream.
  func reset() {
    inflateReset(stream)
    isAtEnd = false
    failure = nil
  }

  /// The next decompressed bytes; nil at the end, or if more input is needed.
  ///
  /// The bytes before an error are returned first.
  func next(from input: inout PendingInput) throws(CorruptData) -> [UInt8]? {
    if let failure { throw failure }
    if isAtEnd { return nil }
    guard isReady else { throw CorruptData("memory is exhausted") }
    let (output, status) = inflated(&input)
    switch status {
    // Z_BUF_ERROR is not an error: zlib needs more input.
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: isAtEnd = true
    default:
      let failure = CorruptData(
        stream.pointee.msg.map { String(cString: $0) } ?? "invalid deflate data")
      self.failure = failure
      if output.isEmpty { throw failure }
    }
    return output.isEmpty ? nil : output
  }

  private func inflated(_ input: inout PendingInput) -> (output: [UInt8], status: Int32) {
    var status = Z_OK
    var consumed = 0
    let output = [UInt8](unsafeUninitializedCapacity: Self.maximumPieceSize) { output, count in
      input.withUnread { unread in
        let available = uInt(clamping: unread.count)
        stream.pointee.next_in = unread.baseAddress
        stream.pointee.avail_in = available
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = uInt(clamping: output.count)
        status = inflate(stream, Z_NO_FLUSH)
        consumed = Int(available - stream.pointee.avail_in)
        count = output.count - Int(stream.pointee.avail_out)
      }
    }
    input.consume(consumed)
    return (output, status)
  }
}
