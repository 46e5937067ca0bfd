internal import CScan
internal import Glibc

/// Copies rows of a delimited text as they are written, many times as fast as writing their values.
package struct DelimitedRowCopy {
  private let table: DelimitedTable

  private static let pieceSize = 256 << 10

  /// nil if the rows of the table may differ from those that the writer would write: the text has
  /// another delimiter or other quotes, rows with missing fields, or cells that options read in their
  /// own way.
  package init?(of table: any Table, for writer: any TableWriter) {
    guard let table = table as? DelimitedTable, let writer = writer as? DelimitedWriter else {
      return nil
    }
    let (dialect, options) = (table.dialect, table.options)
    guard dialect.lines == nil, dialect.delimiter == writer.delimiter,
      dialect.quote == UInt8(ascii: "\""), dialect.escape == nil, !dialect.skipsSpaces,
      !dialect.hasTrailingDelimiter, options.types.isEmpty, options.nulls.isEmpty,
      options.numberStyle == NumberStyle(),
      table.index.chunks.allSatisfy({ $0.findings.padded == 0 })
    else { return nil }
    self.table = table
  }

  /// Copies the rows in an order.
  ///
  /// - Parameter receive: receives whole rows, with LF line ends, in pieces of limited size.
  /// - Throws: the errors of the text and of `receive`.
  package func copy(
    _ order: RowOrder, cancellation: Cancellation, _ receive: ([UInt8]) throws -> Void
  ) throws {
    switch order {
    case .natural(let count) where count == table.count:
      try copyAll(cancellation: cancellation, receive)
    default: try copyEach(order, cancellation: cancellation, receive)
    }
  }

  private func copyAll(
    cancellation: Cancellation, _ receive: ([UInt8]) throws -> Void
  ) throws {
    let scanner = RowScanner(
      table.store, dialect: table.dialect, columns: table.keys.count,
      limits: table.options.limits)
    var piece: [UInt8] = []
    piece.reserveCapacity(Self.pieceSize * 2)
    for chunk in table.index.chunks {
      scanner.start(chunk)
      while let rows = try scanner.next() {
        try cancellation.check()
        Self.append(rows, of: scanner.bytes, to: &piece)
        if piece.count >= Self.pieceSize {
          try receive(piece)
          piece.removeAll(keepingCapacity: true)
        }
      }
    }
    if !piece.isEmpty { try receive(piece) }
  }

  private func copyEach(
    _ order: RowOrder, cancellation: Cancellation, _ receive: ([UInt8]) throws -> Void
  ) throws {
    var piece: [UInt8] = []
    piece.reserveCapacity(Self.pieceSize * 2)
    let order = order.withList
    try table.withRowBytes { read in
      for position in 0..<order.count {
        if position & 0xFFF == 0 { try cancellation.check() }
        try read(order[position]) { Self.append($0, to: &piece) }
        if piece.count >= Self.pieceSize {
          try receive(piece)
          piece.removeAll(keepingCapacity: true)
        }
      }
    }
    if !piece.isEmpty { try receive(piece) }
  }

  /// Appends adjacent rows that end with LF at once.
  private static func append(
    _ rows: UnsafeBufferPointer<ds_row>, of bytes: UnsafePointer<UInt8>, to piece: inout [UInt8]
  ) {
    guard let first = rows.first, let last = rows.last else { return }
    let block = UnsafeRawBufferPointer(
      start: bytes + Int(first.start), count: Int(last.end - first.start))
    var length: UInt32 = 0
    for row in rows { length &+= row.end &- row.start }
    if Int(length) == block.count, block.last == 0x0A, !block.containsReturn {
      piece.append(contentsOf: block)
      return
    }
    for row in rows {
      append(
        UnsafeRawBufferPointer(start: bytes + Int(row.start), count: Int(row.end - row.start)),
        to: &piece)
    }
  }

  /// Appends a row with LF in place of its line end.
  private static func append(_ row: UnsafeRawBufferPointer, to piece: inout [UInt8]) {
    guard let start = row.baseAddress else { return }
    let end = ds_csv_content_end(start.assumingMemoryBound(to: UInt8.self), 0, row.count)
    piece.append(contentsOf: row[..<end])
    piece.append(0x0A)
  }
}

extension UnsafeRawBufferPointer {
  fileprivate var containsReturn: Bool {
    baseAddress.map { memchr($0, 0x0D, count) != nil } ?? false
  }
}
