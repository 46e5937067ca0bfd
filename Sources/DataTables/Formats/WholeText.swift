extension FormatInput {
  /// Reads the file as a text that is in memory as a whole.
  /// - Parameter read: receives UTF-8 without a byte order mark.
  /// - Throws: the errors of ``withText(_:)``, and ``TableError/limit(_:setting:at:)`` for a file of
  ///   more than `maxDocument` bytes.
  package func withWholeText(_ read: ([UInt8]) throws -> LoadedTable) throws -> LoadedTable {
    try checkSize()
    return try withText { text in try read(try text.bytes(0..<text.count)) }
  }

  /// - Throws: ``TableError/limit(_:setting:at:)`` for a file of more than `maxDocument` bytes.
  package func checkSize() throws(TableError) {
    let limit = options.limits.document
    guard bytes.count > limit else { return }
    throw .limit(
      "a document of \(bytes.count.grouped) bytes has more than the allowed \(limit.grouped); its "
        + "rows are all held in memory", setting: "maxDocument", at: nil)
  }
}
