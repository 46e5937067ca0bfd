import CZlib

/// Decompresses a body from pieces into pieces of limited size, however large it becomes.
final class Inflater {
  enum Format { case gzip, deflate }

  /// Bytes that are not in the declared format.
  struct Damage: Error {}

  private let format: Format
  private let stream: UnsafeMutablePointer<z_stream>
  private var input: [UInt8] = []
  private var taken = 0
  private var hasBegun = false
  /// Whether the bytes so far end where the format may end.
  private(set) var isWhole = true

  /// The maximum number of bytes that ``next()`` returns.
  private static let largestPiece = 128 << 10

  init(_ format: Format) {
    self.format = format
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  func append(_ bytes: [UInt8]) {
    if bytes.isEmpty { return }
    if !hasBegun { isWhole = false }
    input.removeFirst(taken)
    taken = 0
    input += bytes
  }

  /// The next decompressed bytes; nil if it needs more input.
  func next() throws(Damage) -> [UInt8]? {
    guard try begin() else { return nil }
    while true {
      if isWhole {
        if taken == input.count { return nil }
        // A gzip body may have several members; nothing may follow the end of a zlib body.
        guard format == .gzip, inflateReset(stream) == Z_OK else { throw Damage() }
        isWhole = false
      }
      let (output, status) = inflated()
      switch status {
      case Z_OK: break
      case Z_STREAM_END: isWhole = true
      // Not an error: it only needs more input.
      case Z_BUF_ERROR: return output.isEmpty ? nil : output
      default: throw Damage()
      }
      if !output.isEmpty { return output }
    }
  }

  /// - Returns: false until there are enough bytes to detect the format.
  private func begin() throws(Damage) -> Bool {
    if hasBegun { return true }
    guard input.count >= 2 else { return false }
    let status = inflateInit2_(
      stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw Damage() }
    hasBegun = true
    return true
  }

  /// The window bits of zlib: 15 is its own format, 16 more is gzip, negative is raw deflate.
  private var windowBits: Int32 {
    switch format {
    case .gzip: MAX_WBITS + 16
    case .deflate: hasHead ? MAX_WBITS : -MAX_WBITS
    }
  }

  /// Whether `deflate` is in the format of zlib, as it is meant, and not without the head of it, as
  /// some servers send it. See RFC 1950, 2.2.
  private var hasHead: Bool {
    let head = input.prefix(2).reduce(0) { $0 << 8 | Int($1) }
    return head >> 8 & 0x0F == Int(Z_DEFLATED) && head % 31 == 0
  }

  private func inflated() -> (output: [UInt8], status: Int32) {
    var status = Z_OK
    let output = [UInt8](unsafeUninitializedCapacity: Self.largestPiece) { output, count in
      input.withUnsafeMutableBufferPointer { input in
        let given = uInt(clamping: input.count - taken)
        stream.pointee.next_in = input.baseAddress.map { $0 + taken }
        stream.pointee.avail_in = given
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = uInt(clamping: output.count)
        status = inflate(stream, Z_NO_FLUSH)
        taken += Int(given - stream.pointee.avail_in)
        count = output.count - Int(stream.pointee.avail_out)
      }
    }
    return (output, status)
  }
}
