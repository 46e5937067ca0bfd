internal import CZlib

/// Decompresses gzip data (RFC 1952): one member or several, whose contents are joined.
package final class GzipDecompressor: Decompressor {
  private var input = PendingInput()
  private let inflater = Inflater()
  private let allowsTrailingBytes: Bool
  private var part = Part.header
  private var checksum: CRC32 = CRC32()
  /// The number of decompressed bytes of the current member.
  private var size: UInt32 = 0
  private var members = 0
  private var hasInput = false
  /// The name in the header of the first member; nil without one.
  package private(set) var contentName: String?
  /// The number of bytes after the last member that are not gzip data.
  package private(set) var trailingBytes = 0

  private enum Part { case header, content, trailer, ignored }

  /// - Parameter allowsTrailingBytes: whether bytes after a member that are not another member are
  ///   counted instead of being an error.
  package init(allowsTrailingBytes: Bool) { self.allowsTrailingBytes = allowsTrailingBytes }

  package var position: Int { input.position }

  /// True before the first byte, and between two members.
  package var isComplete: Bool {
    switch part {
    case .header: members > 0 ? input.isEmpty : !hasInput
    case .content, .trailer: false
    case .ignored: true
    }
  }

  package func append(_ bytes: [UInt8]) {
    if bytes.isEmpty { return }
    hasInput = true
    input.append(bytes)
  }

  package func next() throws(CorruptData) -> [UInt8]? {
    while true {
      switch part {
      case .header:
        guard try readHeader() else { return nil }
      case .content:
        if let piece = try inflater.next(from: &input) {
          checksum.update(piece)
          size &+= UInt32(truncatingIfNeeded: piece.count)
          return piece
        }
        guard inflater.isAtEnd else { return nil }
        part = .trailer
      case .trailer:
        guard try readTrailer() else { return nil }
      case .ignored:
        trailingBytes += input.count
        input.consume(input.count)
        return nil
      }
    }
  }

  /// - Returns: false if more input is needed.
  private func readHeader() throws(CorruptData) -> Bool {
    if members > 0, allowsTrailingBytes {
      let magic = input.unread.prefix(GzipHeader.magic.count)
      if !GzipHeader.magic.starts(with: magic) {
        part = .ignored
        return true
      }
    }
    guard let header = try GzipHeader(input.unread) else { return false }
    input.consume(header.length)
    if members == 0 { contentName = header.name }
    inflater.reset()
    checksum = CRC32()
    size = 0
    part = .content
    return true
  }

  private func readTrailer() throws(CorruptData) -> Bool {
    guard input.count >= 8, let sum = input.number(UInt32.self),
      let length = input.number(UInt32.self)
    else { return false }
    guard sum == checksum.value else { throw CorruptData("the checksum does not match") }
    guard length == size else { throw CorruptData("the length does not match") }
    members += 1
    part = .header
    return true
  }
}

/// The checksum of gzip and zip.
struct CRC32 {
  private(set) var value: UInt32 = 0

  mutating func update(_ bytes: some Sequence<UInt8>) {
    value =
      bytes.withContiguousStorageIfAvailable { bytes in
        UInt32(truncatingIfNeeded: crc32_z(uLong(value), bytes.baseAddress, bytes.count))
      } ?? value
  }
}
