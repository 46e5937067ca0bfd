internal import CScan

/// Reads single rows of a delimited text with all their fields, and keeps the adjacent rows that it
/// scans along with them.
///
/// Unchecked Sendable: a ``ReaderPool`` hands it to one thread at a time.
final class RowReader: @unchecked Sendable {
  private let store: any ByteStore
  private let index: RowIndex
  private let scanner: RowScanner
  private let allColumns: [UInt32]
  private var fields: [ds_field]
  /// The rows between the two anchors around the scanner's position.
  private var group = 0..<0
  /// The numbers of the rows in `batch`.
  private var found = 0..<0
  private var batch = UnsafeBufferPointer<ds_row>(start: nil, count: 0)
  /// Whether the store is known to be unchanged since the window was read.
  private var isChecked = false

  init(_ table: DelimitedTable) {
    store = table.store
    index = table.index
    // Room for most groups, so that one read fetches a whole group.
    scanner = RowScanner(
      table.store, dialect: table.dialect, columns: table.keys.count,
      limits: table.options.limits, windowSize: 16 << 10, batch: RowIndex.spacing)
    allColumns = table.keys.indices.map { UInt32($0) }
    fields = [ds_field](repeating: ds_field(), count: allColumns.count)
  }

  /// Must be called before a series of reads: the bytes may have changed since the last series.
  func begin() { isChecked = false }

  /// Calls `body` with the fields of a row and the bytes that they index into.
  func read<Result>(
    _ row: Int,
    _ body: (UnsafeBufferPointer<ds_field>, UnsafePointer<UInt8>) throws -> Result
  ) throws -> Result {
    var place = try find(row)
    return try fields.withUnsafeMutableBufferPointer { fields in
      scanner.locate(allColumns, of: &place, count: 1, into: fields.baseAddress)
      return try body(UnsafeBufferPointer(fields), scanner.bytes)
    }
  }

  /// The offset of a row in the store.
  func offset(of row: Int) throws -> Int { scanner.storeOffset(try find(row).start) }

  /// The length of a row in bytes.
  func size(of row: Int) throws -> Int {
    let place = try find(row)
    return Int(place.end) - Int(place.start)
  }

  /// The bytes of a row with its line end, valid until the next read. A last row without a line end
  /// has a LF.
  func bytes(of row: Int) throws -> UnsafeRawBufferPointer {
    let place = try find(row)
    return UnsafeRawBufferPointer(
      start: scanner.bytes + Int(place.start), count: Int(place.end) - Int(place.start))
  }

  /// Reads a row into the window and returns its position there.
  private func find(_ row: Int) throws -> ds_row {
    if group.contains(row), row >= found.lowerBound {
      if !isChecked { try store.checkUnchanged() }
    } else {
      let place = index.group(of: row)
      scanner.start(place.range, endsWithRow: true)
      group = place.rows
      found = group.lowerBound..<group.lowerBound
    }
    isChecked = true
    while row >= found.upperBound {
      guard let next = try scanner.next() else {
        // The bytes differ from the indexed ones; the store usually detects that first.
        throw TableError.changed("row \(row) changed since it was loaded")
      }
      batch = next
      found = found.upperBound..<found.upperBound + next.count
    }
    return batch[row - found.lowerBound]
  }
}
