package import DataTables

/// The central directory of a zip archive (APPNOTE 6.3, 4.3), with the extensions of zip64.
package struct ZipDirectory: Sendable {
  package let members: [ZipMember]
  /// The number of bytes before the archive, such as the program of a self-extracting one.
  private let prefix: Int

  private static let endSignature: UInt32 = 0x0605_4B50
  private static let locatorSignature: UInt32 = 0x0706_4B50
  private static let largeEndSignature: UInt32 = 0x0606_4B50
  private static let endLength = 22
  private static let locatorLength = 20
  private static let largeEndLength = 56
  private static let maxCommentLength = 0xFFFF
  /// In bytes; about two million members.
  private static let maxLength = 128 << 20

  /// - Parameter name: the name of the archive, for errors.
  /// - Throws: `TableError.format` for a truncated or corrupt archive, or a part of a split one;
  ///   `TableError.limit` for a directory of more than 128 MiB.
  package init(_ bytes: any ByteStore, named name: String) throws {
    let tailStart = max(0, bytes.count - Self.endLength - Self.maxCommentLength)
    let tail = ZipFields(try bytes.bytes(tailStart..<bytes.count))
    guard let end = Self.end(in: tail) else {
      throw TableError.format(
        "`\(name)` is a truncated zip archive: its directory, which is at the end, is missing",
        at: nil)
    }
    let endOffset = tailStart + end
    var extent = Extent(
      count: Int(tail.number(UInt16.self, at: end + 10)),
      length: Int(tail.number(UInt32.self, at: end + 12)),
      offset: Int(tail.number(UInt32.self, at: end + 16)),
      end: endOffset)
    if let large = try Self.largeExtent(bytes, before: endOffset, named: name) { extent = large }
    guard extent.length <= Self.maxLength else {
      throw TableError.limit(
        "the directory of the zip archive `\(name)` has \(extent.length) bytes", setting: "",
        at: nil)
    }
    let start = extent.end - extent.length
    guard start >= 0, extent.offset <= start else {
      throw TableError.format(
        "`\(name)` is a corrupt or split zip archive: the directory at byte \(extent.offset) has "
          + "\(extent.length) bytes, but \(extent.end) precede its end", at: nil)
    }
    prefix = start - extent.offset
    members = try Self.members(
      ZipFields(try bytes.bytes(start..<extent.end)), start: start, count: extent.count,
      named: name)
  }

  /// The place of the directory.
  private struct Extent {
    var count: Int
    var length: Int
    /// Relative to the start of the archive.
    var offset: Int
    /// In the file.
    var end: Int
  }

  /// The position of the last end record whose comment fits.
  private static func end(in tail: ZipFields) -> Int? {
    stride(from: tail.count - endLength, through: 0, by: -1).first { place in
      tail.number(UInt32.self, at: place) == endSignature
        && place + endLength + Int(tail.number(UInt16.self, at: place + 20)) <= tail.count
    }
  }

  private static func largeExtent(
    _ bytes: any ByteStore, before end: Int, named name: String
  ) throws -> Extent? {
    guard end >= locatorLength else { return nil }
    let locator = ZipFields(try bytes.bytes(end - locatorLength..<end))
    guard locator.number(UInt32.self, at: 0) == locatorSignature else { return nil }
    // A prefix moves the record, so also expect it directly before the locator.
    let declared = Int(clamping: locator.number(UInt64.self, at: 8))
    for place in [declared, end - locatorLength - largeEndLength] {
      guard place >= 0, place <= end - locatorLength - largeEndLength else { continue }
      let record = ZipFields(try bytes.bytes(place..<place + largeEndLength))
      guard record.number(UInt32.self, at: 0) == largeEndSignature else { continue }
      return Extent(
        count: Int(clamping: record.number(UInt64.self, at: 32)),
        length: Int(clamping: record.number(UInt64.self, at: 40)),
        offset: Int(clamping: record.number(UInt64.self, at: 48)), end: place)
    }
    throw TableError.format(
      "`\(name)` is a corrupt zip archive: its zip64 record is missing", at: nil)
  }

  private static func members(
    _ fields: ZipFields, start: Int, count: Int, named name: String
  ) throws -> [ZipMember] {
    var members: [ZipMember] = []
    var place = 0
    // The count is modulo 65,536 in archives of programs that do not know zip64.
    while place < fields.count {
      guard let member = ZipMember(fields, at: place) else {
        throw TableError.format(
          "`\(name)` is a corrupt zip archive: byte \(start + place) is not an entry of its "
            + "directory", at: nil)
      }
      members.append(member)
      place += member.entryLength
    }
    guard members.count & 0xFFFF == count & 0xFFFF else {
      throw TableError.format(
        "`\(name)` is a corrupt zip archive: its directory has \(members.count) entries, not "
          + "\(count)", at: nil)
    }
    return members
  }

  /// The range of the compressed bytes of a member.
  /// - Throws: `TableError.format` if the member is not in the file.
  package func content(
    of member: ZipMember, in bytes: any ByteStore, named name: String
  ) throws -> Range<Int> {
    let corrupt = TableError.format(
      "the member `\(member.name)` of `\(name)` is corrupt: its data is not at byte "
        + "\(member.offset)", at: nil)
    let (start, overflows) = member.offset.addingReportingOverflow(prefix)
    guard !overflows, start >= 0, start <= bytes.count - ZipMember.headerLength else {
      throw corrupt
    }
    let header = ZipFields(try bytes.bytes(start..<start + ZipMember.headerLength))
    guard header.number(UInt32.self, at: 0) == ZipMember.headerSignature else { throw corrupt }
    let content =
      start + ZipMember.headerLength + Int(header.number(UInt16.self, at: 26))
      + Int(header.number(UInt16.self, at: 28))
    guard content <= bytes.count, member.compressedSize <= bytes.count - content else {
      throw corrupt
    }
    return content..<content + member.compressedSize
  }
}

/// The little-endian numbers in a part of a zip archive. Reads outside of it return zeros.
struct ZipFields {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  func number<Number: FixedWidthInteger & UnsignedInteger>(_ type: Number.Type, at place: Int)
    -> Number
  {
    var number: Number = 0
    for index in (0..<MemoryLayout<Number>.size).reversed() {
      let place = place + index
      number = number << 8 | (bytes.indices.contains(place) ? Number(bytes[place]) : 0)
    }
    return number
  }

  /// Clipped to the end.
  func slice(_ start: Int, _ length: Int) -> ArraySlice<UInt8> {
    guard start >= 0, start < count else { return [] }
    return bytes[start..<min(count, start + length)]
  }
}
