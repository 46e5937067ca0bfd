/// A table of a text to which other programs append lines.
///
/// A longer text is read from the last complete row on: the new table keeps the positions of the
/// rows before.
protocol GrowingTable: Table {
  /// The table of a longer text that begins with the text of this table.
  ///
  /// - Parameters:
  ///   - text: ends with a line end.
  ///   - report: the report of this table.
  ///   - request: the request with which this table was read.
  /// - Returns: nil if the whole text must be read, because earlier rows could change or because
  ///   it is short.
  /// - Complexity: O(appended bytes), plus at most one small chunk of the old text.
  /// - Throws: ``TableError``.
  func grown(
    to text: any ByteStore, report: LoadReport, request: ReadRequest, cancellation: Cancellation
  ) throws -> LoadedTable?
}

/// Reads the lines appended to a text that was read before.
package enum TableGrowth {
  /// The byte that ends a line in the bytes of a table; nil if the table was not read from lines, or
  /// from another encoding than UTF-8.
  package static func lineEnd(of loaded: LoadedTable) -> UInt8? {
    guard loaded.report.encoding.hasPrefix("UTF-8") else { return nil }
    return loaded.table.lineEnd
  }

  /// The table of longer bytes that begin with the bytes from which `loaded` was read.
  ///
  /// - Parameter bytes: end with a line end.
  /// - Returns: nil if all bytes must be read.
  /// - Throws: ``TableError``.
  package static func read(
    _ bytes: any ByteStore, after loaded: LoadedTable, request: ReadRequest,
    cancellation: Cancellation
  ) throws -> LoadedTable? {
    guard lineEnd(of: loaded) != nil, let table = loaded.table as? any GrowingTable else {
      return nil
    }
    let text = try DecodedText(bytes, encoding: request.options.encoding)
    guard
      var grown = try table.grown(
        to: text.store, report: loaded.report, request: request, cancellation: cancellation)
    else { return nil }
    grown.report.encoding = loaded.report.encoding
    return grown
  }
}

extension ByteStore {
  /// The offset after the last `byte` at or after `start`; nil without one.
  package func end(ofLast byte: UInt8, from start: Int) throws -> Int? {
    var end = count
    while end > start {
      let from = max(start, end - (64 << 10))
      let part = try bytes(from..<end)
      if let last = part.lastIndex(of: byte) { return from + last + 1 }
      end = from
    }
    return nil
  }
}

/// The position of some rows of a text in a table.
protocol RowChunk {
  /// The number of the first row.
  var firstRow: Int { get set }
  /// The bytes of the rows.
  var size: Int { get }
}

extension Array where Element: RowChunk {
  /// The chunks that begin at a row, which becomes row 0; nil if it does not begin a chunk.
  func beginning(atRow row: Int) -> [Element]? {
    guard let first = firstIndex(where: { $0.firstRow >= row }), self[first].firstRow == row else {
      return nil
    }
    return self[first...].map { chunk in
      var chunk = chunk
      chunk.firstRow -= row
      return chunk
    }
  }

  /// Without the last chunk if it is small: its rows are scanned again with those after it, so that
  /// many appended lines do not make many chunks.
  func dropping(smallerThan size: Int) -> [Element] {
    guard let last, last.size < size else { return self }
    return Array(dropLast())
  }
}
