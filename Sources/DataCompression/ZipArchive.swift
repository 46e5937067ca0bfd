package import DataTables

/// A zip archive whose members can be read in any order.
package struct ZipArchive: Sendable {
  private let bytes: any ByteStore
  private let name: String
  private let directory: ZipDirectory

  /// - Parameter name: the name of the archive, for errors.
  /// - Throws: as ``ZipDirectory``.
  package init(_ bytes: any ByteStore, named name: String) throws {
    self.bytes = bytes
    self.name = name
    directory = try ZipDirectory(bytes, named: name)
  }

  package var members: [ZipMember] { directory.members }

  /// Decompresses a member and checks its size and checksum.
  /// - Throws: `TableError.format` for a corrupt member and for one that cannot be decompressed;
  ///   any error of `receive`.
  package func read(
    _ member: ZipMember, cancellation: Cancellation,
    _ receive: (consuming [UInt8]) throws -> Void
  ) throws {
    let subject = "the member `\(member.name)` of `\(name)`"
    if let obstacle = member.obstacle {
      throw TableError.format("\(subject) cannot be read: \(obstacle)", at: nil)
    }
    let range = try directory.content(of: member, in: bytes, named: name)
    var checksum = CRC32()
    var size = 0
    let stream: any Decompressor =
      switch member.method {
      case ZipMember.Method.stored: StoredBytes()
      case ZipMember.Method.zstd: try ZstdDecompressor()
      default: DeflateDecompressor()
      }
    try stream.decompress(range, of: bytes, subject: subject, cancellation: cancellation) { piece in
      checksum.update(piece)
      size += piece.count
      guard size <= member.size else {
        throw TableError.format(
          "\(subject) is corrupt: it has more than the \(member.size.counted("byte")) that its entry states",
          at: nil)
      }
      try receive(piece)
    }
    guard size == member.size else {
      throw TableError.format(
        "\(subject) is corrupt: it has \(size.counted("byte")), and its entry states \(member.size.grouped)",
        at: nil)
    }
    guard checksum.value == member.checksum else {
      throw TableError.format(
        "\(subject) is corrupt between bytes \(range.lowerBound) and \(range.upperBound): the "
          + "checksum does not match", at: nil)
    }
  }
}

/// A member that is not compressed.
private final class StoredBytes: Decompressor {
  private var input = PendingInput()

  var position: Int { input.position }
  var isComplete: Bool { input.isEmpty }

  func append(_ bytes: [UInt8]) { input.append(bytes) }

  func next() -> [UInt8]? {
    if input.isEmpty { return nil }
    defer { input.consume(input.count) }
    return Array(input.unread)
  }
}
