import DataTables

/// Writes a zip archive with one deflated member, whose sizes follow it.
final class ZipCompressor: Compressor {
  private let name: [UInt8]
  private let deflate = DeflateCompressor(.raw)
  private var checksum = CRC32()
  private var size = 0
  private var compressedSize = 0
  private var hasHeader = false

  private static let descriptorSignature: UInt32 = 0x0807_4B50
  private static let endSignature: UInt32 = 0x0605_4B50
  /// Version 2.0 has deflate; the high byte states that permissions are those of Unix.
  private static let version: UInt16 = 20
  private static let unixVersion: UInt16 = 3 << 8 | version
  private static let permissions: UInt32 = 0o100644 << 16
  /// The first day of MS-DOS dates: the archive depends on its content alone.
  private static let date: UInt16 = 1 << 5 | 1

  init(memberName name: String) { self.name = Array(name.utf8.prefix(0xFFFF)) }

  func compress(_ bytes: [UInt8]) throws -> [UInt8] {
    let header = takeHeader()
    checksum.update(bytes)
    size += bytes.count
    return header + counted(try deflate.compress(bytes))
  }

  func finish() throws -> [UInt8] {
    var output = takeHeader()
    output += counted(try deflate.finish())
    guard let size = UInt32(exactly: size), let compressed = UInt32(exactly: compressedSize),
      let directory = UInt32(exactly: 30 + name.count + compressedSize + 16)
    else {
      throw TableError.limit(
        "a zip archive cannot hold more than 4 GiB here; write gzip or zstd", setting: "", at: nil)
    }
    output += Self.descriptorSignature.littleEndianBytes
    let sizes =
      checksum.value.littleEndianBytes + compressed.littleEndianBytes
      + size.littleEndianBytes
    output += sizes
    let entry =
      ZipMember.entrySignature.littleEndianBytes + Self.unixVersion.littleEndianBytes
      + common + sizes + nameLength + [UInt8](repeating: 0, count: 6)
      + Self.permissions.littleEndianBytes + UInt32(0).littleEndianBytes + name
    output += entry
    output += Self.endSignature.littleEndianBytes + [0, 0, 0, 0, 1, 0, 1, 0]
    output +=
      UInt32(truncatingIfNeeded: entry.count).littleEndianBytes
      + directory.littleEndianBytes + [0, 0]
    return output
  }

  private func takeHeader() -> [UInt8] {
    if hasHeader { return [] }
    hasHeader = true
    return ZipMember.headerSignature.littleEndianBytes + common
      + [UInt8](repeating: 0, count: 12) + nameLength + name
  }

  /// The fields from the version to the date.
  private var common: [UInt8] {
    [
      Self.version, ZipMember.Flag.descriptor | ZipMember.Flag.utf8, ZipMember.Method.deflated, 0,
      Self.date,
    ].flatMap(\.littleEndianBytes)
  }

  /// The lengths of the name and of the extra field.
  private var nameLength: [UInt8] {
    UInt16(truncatingIfNeeded: name.count).littleEndianBytes + [0, 0]
  }

  private func counted(_ bytes: [UInt8]) -> [UInt8] {
    compressedSize += bytes.count
    return bytes
  }
}

extension FixedWidthInteger {
  fileprivate var littleEndianBytes: [UInt8] {
    withUnsafeBytes(of: littleEndian) { Array($0) }
  }
}
