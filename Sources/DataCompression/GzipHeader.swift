/// The header of a gzip member (RFC 1952, 2.3).
struct GzipHeader {
  /// The first bytes, with the only compression method that exists.
  static let magic: [UInt8] = [0x1F, 0x8B, 8]

  let length: Int
  /// The name of the content, which is in ISO 8859-1; nil without one.
  let name: String?

  private static let fixedLength = 10
  /// A header has no maximum length; longer ones come from an attacker.
  private static let maxLength = 1 << 18

  private enum Flag {
    static let checksum: UInt8 = 2
    static let extra: UInt8 = 4
    static let name: UInt8 = 8
    static let comment: UInt8 = 16
    static let reserved: UInt8 = 0xE0
  }

  /// Reads the header at the start of `bytes`; nil if it is incomplete.
  init?(_ bytes: ArraySlice<UInt8>) throws(CorruptData) {
    guard Self.magic.starts(with: bytes.prefix(2)) || bytes.starts(with: Self.magic.prefix(2))
    else { throw CorruptData("the header of gzip is missing") }
    guard bytes.count >= Self.fixedLength else { return nil }
    let start = bytes.startIndex
    guard bytes[start + 2] == Self.magic[2] else {
      throw CorruptData("unknown compression method \(bytes[start + 2])")
    }
    let flags = bytes[start + 3]
    guard flags & Flag.reserved == 0 else { throw CorruptData("the header has unknown flags") }
    var rest = bytes.dropFirst(Self.fixedLength)
    var name: String?
    if flags & Flag.extra != 0 {
      guard rest.count >= 2 else { return nil }
      let count = Int(rest[rest.startIndex]) | Int(rest[rest.startIndex + 1]) << 8
      guard rest.count >= 2 + count else { return nil }
      rest = rest.dropFirst(2 + count)
    }
    if flags & Flag.name != 0 {
      guard let text = try Self.text(&rest, after: start) else { return nil }
      name = text
    }
    if flags & Flag.comment != 0, try Self.text(&rest, after: start) == nil { return nil }
    if flags & Flag.checksum != 0 {
      guard rest.count >= 2 else { return nil }
      var checksum = CRC32()
      checksum.update(bytes[start..<rest.startIndex])
      let stored = UInt32(rest[rest.startIndex]) | UInt32(rest[rest.startIndex + 1]) << 8
      guard checksum.value & 0xFFFF == stored else {
        throw CorruptData("the checksum of the header does not match")
      }
      rest = rest.dropFirst(2)
    }
    length = rest.startIndex - start
    self.name = name
  }

  /// Removes a string that ends with a zero; nil if it is incomplete.
  private static func text(
    _ rest: inout ArraySlice<UInt8>, after start: Int
  ) throws(CorruptData) -> String? {
    guard let end = rest.firstIndex(of: 0) else {
      if rest.endIndex - start > maxLength { throw CorruptData("the header is too long") }
      return nil
    }
    let scalars = rest[..<end].map { Unicode.Scalar($0) }
    rest = rest[(end + 1)...]
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }
}
