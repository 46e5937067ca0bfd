internal import CScan

/// Reads single rows of a delimited text with all their fields, and keeps the neighbours it found
/// on the way.
///
/// Sendable although unchecked: a ``ReaderPool`` gives it to one thread at a time.
final class RowReader: @unchecked Sendable {
  private let store: any ByteStore
  private let index: RowIndex
  private let scanner: RowScanner
  private let wanted: [UInt32]
  private var fields: [ds_field]
  private let delimiter: UInt8
  private let terminator: UInt8
  private let kernels = ds_kernels_best().pointee
  /// The rows that stand between two anchors, in which the scanner is.
  private var group = 0..<0
  /// The rows of the group that lie in the window.
  private var found = 0..<0
  private var batch = UnsafeBufferPointer<ds_row>(start: nil, count: 0)
  /// Whether the bytes in the window are known to be those of the store still.
  private var isChecked = false

  init(_ table: DelimitedTable) {
    store = table.store
    index = table.index
    // Room for most groups, so that one read brings all of it.
    scanner = RowScanner(
      table.store, dialect: table.dialect, columns: table.keys.count,
      limits: table.options.limits, windowSize: 16 << 10, batch: RowIndex.spacing)
    wanted = table.keys.indices.map { UInt32($0) }
    fields = [ds_field](repeating: ds_field(), count: wanted.count)
    delimiter = table.dialect.delimiter
    terminator = table.dialect.terminator
  }

  /// To be called before the first row of each piece of work: the bytes may have changed since the
  /// last one.
  func begin() { isChecked = false }

  /// Calls `body` with the fields of a row and the bytes that they point into.
  func read<Result>(
    _ row: Int,
    _ body: (UnsafeBufferPointer<ds_field>, UnsafePointer<UInt8>) throws -> Result
  ) throws -> Result {
    var place = try find(row)
    return try fields.withUnsafeMutableBufferPointer { fields in
      kernels.csv_fields(
        scanner.bytes, delimiter, terminator, &place, 1, wanted, wanted.count, fields.baseAddress)
      return try body(UnsafeBufferPointer(fields), scanner.bytes)
    }
  }

  /// Where a row begins in the store.
  func offset(of row: Int) throws -> Int { scanner.storeOffset(try find(row).start) }

  /// The bytes that a row has.
  func size(of row: Int) throws -> Int {
    let place = try find(row)
    return Int(place.end) - Int(place.start)
  }

  /// The place of a row in the window, to which it is brought.
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
        // Other bytes than were indexed; the store mostly tells before.
        throw TableError.changed("row \(row) is not where it was")
      }
      batch = next
      found = found.upperBound..<found.upperBound + next.count
    }
    return batch[row - found.lowerBound]
  }
}
