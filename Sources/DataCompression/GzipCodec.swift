public import DataTables

/// gzip (RFC 1952).
public struct GzipCodec: Codec {
  public let names = ["gzip", "gz"]
  public let extensions = ["gz", "gzip"]
  public let mediaTypes = ["application/gzip", "application/x-gzip"]

  public init() {}

  public func recognizes(_ sample: [UInt8]) -> Bool { sample.starts(with: GzipHeader.magic) }

  public func decompress(
    _ input: CompressedInput, _ receive: (consuming [UInt8]) throws -> Void
  ) throws -> DecompressedContent {
    let stream = GzipDecompressor(allowsTrailingBytes: true)
    try stream.decompress(
      0..<input.bytes.count, of: input.bytes, subject: "`\(input.name)`",
      cancellation: input.cancellation, receive)
    var content = DecompressedContent(name: stream.contentName)
    if stream.trailingBytes > 0 {
      content.notes.append("\(stream.trailingBytes) bytes after the gzip data ignored")
    }
    return content
  }

  public func makeCompressor(contentName name: String) -> any Compressor {
    DeflateCompressor(.gzip)
  }
}
