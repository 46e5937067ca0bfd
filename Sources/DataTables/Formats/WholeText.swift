extension FormatInput {
  /// Reads the file as a text that is in memory as a whole.
  /// - Parameter read: receives UTF-8 without a byte order mark.
  /// - Throws: the errors of ``withText(_:)`` and ``checkDocumentSize(_:)``.
  package func withWholeText(_ read: ([UInt8]) throws -> LoadedTable) throws -> LoadedTable {
    try checkDocumentSize()
    return try withText { text in try read(try text.bytes(0..<text.count)) }
  }
}
