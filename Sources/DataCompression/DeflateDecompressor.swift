internal import CZlib

/// Decompresses deflate data without a header, as in zip archives.
package final class DeflateDecompressor: Decompressor {
  private var input = PendingInput()
  private let inflater = Inflater()

  package init() {}

  package var position: Int { input.position }
  package var isComplete: Bool { hasEnded && input.isEmpty }

  /// Whether the last block has been decompressed.
  package var hasEnded: Bool { inflater.isAtEnd }

  package func append(_ bytes: [UInt8]) { input.append(bytes) }

  package func next() throws(CorruptData) -> [UInt8]? {
    if let piece = try inflater.next(from: &input) { return piece }
    if inflater.isAtEnd, !input.isEmpty {
      throw CorruptData("bytes follow the end of the data")
    }
    return nil
  }
}

/// Decompresses the content coding `deflate` of HTTP, which means the zlib format (RFC 1950); some
/// servers send deflate data without its header.
package final class ZlibDecompressor: Decompressor {
  private var input = PendingInput()
  private let inflater = Inflater()
  private var part = Part.header
  private var hasHeader = false
  private var checksum: uLong = 1

  private enum Part { case header, content, trailer, end }

  package init() {}

  package var position: Int { input.position }

  /// True before the first byte.
  package var isComplete: Bool {
    part == .end && input.isEmpty || part == .header && input.position == 0 && input.isEmpty
  }

  package func append(_ bytes: [UInt8]) { input.append(bytes) }

  package func next() throws(CorruptData) -> [UInt8]? {
    while true {
      switch part {
      case .header:
        guard input.count >= 2 else { return nil }
        hasHeader = beginsWithHeader
        if hasHeader { input.consume(2) }
        part = .content
      case .content:
        if let piece = try inflater.next(from: &input) {
          checksum = adler32_z(checksum, piece, piece.count)
          return piece
        }
        guard inflater.isAtEnd else { return nil }
        part = hasHeader ? .trailer : .end
      case .trailer:
        guard let sum = input.number(UInt32.self) else { return nil }
        guard sum.byteSwapped == UInt32(truncatingIfNeeded: checksum) else {
          throw CorruptData("the checksum does not match")
        }
        part = .end
      case .end:
        guard input.isEmpty else { throw CorruptData("bytes follow the end of the data") }
        return nil
      }
    }
  }

  /// Whether the input begins with the header of zlib, without a dictionary (RFC 1950, 2.2).
  private var beginsWithHeader: Bool {
    let header = input.unread.prefix(2).reduce(0) { $0 << 8 | Int($1) }
    return header >> 8 & 0x0F == Int(Z_DEFLATED) && header % 31 == 0 && header & 0x20 == 0
  }
}
