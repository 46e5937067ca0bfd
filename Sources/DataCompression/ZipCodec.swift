public import DataTables

/// zip archives. One member is read. Stored, deflated and zstd members are supported.
public struct ZipCodec: Codec {
  public let names = ["zip"]
  public let extensions = ["zip"]
  public let mediaTypes = ["application/zip", "application/x-zip-compressed"]

  public let options = [ReadOption.member]

  public init() {}

  /// An archive without members begins with its end record.
  public func recognizes(_ sample: [UInt8]) -> Bool {
    sample.starts(with: Array("PK\u{3}\u{4}".utf8))
      || sample.starts(with: Array("PK\u{5}\u{6}".utf8))
  }

  public func declaration(of input: CompressedInput) throws -> ContentDeclaration? {
    guard let archive = try? ZipArchive(input.bytes, named: input.name),
      let choice = try? ZipChoice(among: archive.members, for: input)
    else { return nil }
    return ContentDeclaration(name: choice.member.name, size: choice.member.size)
  }

  public func decompress(
    _ input: CompressedInput, _ receive: (consuming [UInt8]) throws -> Void
  ) throws -> DecompressedContent {
    let archive = try ZipArchive(input.bytes, named: input.name)
    let choice = try ZipChoice(among: archive.members, for: input)
    try archive.read(choice.member, cancellation: input.cancellation, receive)
    return DecompressedContent(name: choice.member.name, notes: choice.notes)
  }

  public func makeCompressor(contentName name: String) -> any Compressor {
    ZipCompressor(memberName: name)
  }
}
