package import DataTables

/// Files that are read into a string as a whole, such as scripts.
package enum TextFile {
  /// In bytes; scripts are far smaller.
  private static let maxSize = 64 << 20

  /// - Throws: ``SourceError``: `io`, `limit`, or `encoding` with the offset of the first byte that
  ///   is not UTF-8.
  package static func read(
    _ path: String, cancellation: Cancellation
  ) throws(SourceError) -> String {
    do {
      let file = try OpenFile(path: path)
      // One byte more than the size of a small file, so that a single read reaches the end.
      let maxPieceSize = min(1 << 16, (file.size ?? 1 << 16) + 1)
      var bytes: [UInt8] = []
      while true {
        try cancellation.check()
        guard let piece = try file.readNext(maxPieceSize) else {
          file.waitForBytes()
          continue
        }
        if piece.isEmpty { break }
        if bytes.isEmpty { bytes = piece } else { bytes += piece }
        guard bytes.count <= maxSize else {
          throw TableError.limit("`\(path)` is larger than 64 MiB", setting: "", at: nil)
        }
        // A short read is the last one of a file, but not of a stream.
        if file.size != nil, piece.count < maxPieceSize { break }
      }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw TableError.encoding(
          expected: "UTF-8", offset: validLength(of: bytes), fitting: nil)
      }
      return text
    } catch {
      throw SourceError(error)
    }
  }

  private static func validLength(of bytes: [UInt8]) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var length = 0
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { length += scalar.count }
    return length
  }
}
