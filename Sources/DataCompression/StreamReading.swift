import DataTables

extension Decompressor {
  /// Decompresses a part of a store.
  ///
  /// - Parameters:
  ///   - subject: the file or member that errors show: `` `people.csv.gz` ``.
  ///   - receive: receives the decompressed pieces.
  /// - Throws: `TableError.format` for corrupt or truncated bytes.
  func decompress(
    _ range: Range<Int>, of bytes: any ByteStore, subject: String, cancellation: Cancellation,
    _ receive: (consuming [UInt8]) throws -> Void
  ) throws {
    var offset = range.lowerBound
    while offset < range.upperBound {
      try cancellation.check()
      let piece = try bytes.bytes(offset..<min(offset + (256 << 10), range.upperBound))
      guard !piece.isEmpty else { break }
      offset += piece.count
      append(piece)
      while let output = try next(subject: subject, from: range.lowerBound) {
        try cancellation.check()
        try receive(output)
      }
    }
    guard isComplete else {
      throw TableError.format("\(subject) is truncated: it ends at byte \(offset)", at: nil)
    }
  }

  private func next(subject: String, from start: Int) throws(TableError) -> [UInt8]? {
    do throws(CorruptData) {
      return try next()
    } catch {
      throw .format("\(subject) is corrupt at byte \(start + position): \(error.reason)", at: nil)
    }
  }
}
