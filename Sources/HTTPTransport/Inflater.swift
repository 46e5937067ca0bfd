import CZlib

/// Decompresses the pieces of a body into pieces of limited size.
final class Inflater {
  enum Format { case gzip, deflate }

  /// Bytes that are not in the declared format.
  struct CorruptData: Error {}

  private let format: Format
  private let stream: UnsafeMutablePointer<z_stream>
  private var input: [UInt8] = []
  private var consumed = 0
  private var isInitialized = false
  /// Whether the format may end after the bytes so far.
  private(set) var isComplete = true

  /// The maximum number of bytes that ``next()`` returns.
  private static let maximumPieceSize = 128 << 10

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
    if !isInitialized { isComplete = false }
    input.removeFirst(consumed)
    consumed = 0
    input += bytes
  }

  /// The next decompressed bytes; nil if more input is needed.
  func next() throws(CorruptData) -> [UInt8]? {
    guard try initialize() else { return nil }
    while true {
      if isComplete {
        if consumed == input.count { return nil }
        // A gzip body may have several members; nothing may follow the end of a zlib body.
        guard format == .gzip, inflateReset(stream) == Z_OK else { throw CorruptData() }
        isComplete = false
      }
      let (output, status) = inflated()
      switch status {
      case Z_OK: break
      case Z_STREAM_END: isComplete = true
      // Not an error: zlib needs more input.
      case Z_BUF_ERROR: return output.isEmpty ? nil : output
      default: throw CorruptData()
      }
      if !output.isEmpty { return output }
    }
  }

  /// - Returns: false until there are enough bytes to detect the format.
  private func initialize() throws(CorruptData) -> Bool {
    if isInitialized { return true }
    guard input.count >= 2 else { return false }
    let status = inflateInit2_(
      stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw CorruptData() }
    isInitialized = true
    return true
  }

  /// The window bits of zlib: 15 for its own format, 31 for gzip, -15 for raw deflate.
  private var windowBits: Int32 {
    switch format {
    case .gzip: MAX_WBITS + 16
    case .deflate: hasZlibHeader ? MAX_WBITS : -MAX_WBITS
    }
  }

  /// Whether the input begins with the header of zlib (RFC 1950, 2.2). The coding `deflate` means
  /// the zlib format, but some servers send raw deflate.
  private var hasZlibHeader: Bool {
    let header = input.prefix(2).reduce(0) { $0 << 8 | Int($1) }
    return header >> 8 & 0x0F == Int(Z_DEFLATED) && header % 31 == 0
  }

  private func inflated() -> (output: [UInt8], status: Int32) {
    var status = Z_OK
    let output = [UInt8](unsafeUninitializedCapacity: Self.maximumPieceSize) { output, count in
      input.withUnsafeMutableBufferPointer { input in
        let available = uInt(clamping: input.count - consumed)
        stream.pointee.next_in = input.baseAddress.map { $0 + consumed }
        stream.pointee.avail_in = available
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = uInt(clamping: output.count)
        status = inflate(stream, Z_NO_FLUSH)
        consumed += Int(available - stream.pointee.avail_in)
        count = output.count - Int(stream.pointee.avail_out)
      }
    }
    return (output, status)
  }
}
