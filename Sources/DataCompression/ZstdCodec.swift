public import DataTables

/// zstd (RFC 8878), with the library libzstd.
public struct ZstdCodec: Codec {
  public let names = ["zstd", "zst"]
  public let extensions = ["zst", "zstd"]
  public let mediaTypes = ["application/zstd", "application/x-zstd"]

  public init() {}

  public func recognizes(_ sample: [UInt8]) -> Bool {
    guard sample.count >= 4 else { return false }
    let magic = ZipFields(Array(sample.prefix(4))).number(UInt32.self, at: 0)
    return magic == 0xFD2F_B528 || magic & 0xFFFF_FFF0 == 0x184D_2A50
  }

  public func decompress(
    _ input: CompressedInput, _ receive: (consuming [UInt8]) throws -> Void
  ) throws -> DecompressedContent {
    try ZstdDecompressor().decompress(
      0..<input.bytes.count, of: input.bytes, subject: "`\(input.name)`",
      cancellation: input.cancellation, receive)
    return DecompressedContent()
  }

  public func makeCompressor(contentName name: String) throws -> any Compressor {
    try ZstdCompressor()
  }
}
