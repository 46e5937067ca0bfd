public import DataTables

/// gzip (RFC 1952).
public struct GzipCodec: Codec {
  public let names = ["gzip", "gz"]
  public let extensions = ["gz", "gzip"]
  public let mediaTypes = ["application/gzip", "application/x-gzip"]

  public init() {}

  public func recognizes(_ sample: [UInt8]) -> Bool { sample.starts(with: GzipHeader.magic) }

  /// The size is that of the last member modulo 2^32; content that is smaller than its compressed
  /// bytes has several members.
  public func declaration(of input: CompressedInput) throws -> ContentDeclaration? {
    let bytes = input.bytes
    let first = try bytes.bytes(0..<min(Self.headerSample, bytes.count))
    guard bytes.count >= 4, let header = try? GzipHeader(first[...]) else { return nil }
    let last = try bytes.bytes(bytes.count - 4..<bytes.count)
    let size = last.reversed().reduce(0) { $0 << 8 | Int($1) }
    return size < bytes.count ? nil : ContentDeclaration(name: header.name, size: size)
  }

  /// Longer headers hold more than a name.
  private static let headerSample = 4096

  public func decompress(
    _ input: CompressedInput, _ receive: (consuming [UInt8]) throws -> Void
  ) throws -> DecompressedContent {
    let stream = GzipDecompressor(allowsTrailingBytes: true)
    try stream.decompress(
      0..<input.bytes.count, of: input.bytes, subject: "`\(input.name)`",
      cancellation: input.cancellation, receive)
    var content = DecompressedContent(name: stream.contentName)
    if stream.trailingBytes > 0 {
      content.notes.append("\(stream.trailingBytes.counted("byte")) after the gzip data ignored")
    }
    return content
  }

  public func makeCompressor(contentName name: String) -> any Compressor {
    DeflateCompressor(.gzip)
  }
}
