/// Reads a TOML text as one record, with the lines of its parts.
enum TOMLReader {
  /// - Throws: ``TableError``.
  static func read(
    _ bytes: [UInt8], limits: ReadLimits, cancellation: Cancellation
  ) throws -> LocatedDocument {
    try TextEncoding.checkUTF8(bytes)
    return try bytes.withUnsafeBytes { bytes in
      var parser = TOMLParser(bytes, limits: limits, cancellation: cancellation)
      let root = try parser.parse()
      var lines = DocumentLines()
      root.note(to: &lines, at: [])
      return LocatedDocument(.record(root.record(&parser.shapes)), line: 1, lines: lines)
    }
  }
}
