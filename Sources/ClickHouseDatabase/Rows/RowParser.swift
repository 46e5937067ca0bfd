import DataTables
import Databases
import Glibc

/// Parses a result in `TabSeparatedWithNamesAndTypes` from its bytes as they arrive: a line of
/// names, a line of types, then a line for each row.
struct RowParser {
  /// The columns; nil until their lines are received.
  private(set) var columns: [DatabaseColumn]?
  private var types: [ColumnType] = []
  private var cells: CellReader
  private var buffer: [UInt8] = []
  /// The bytes before are parsed.
  private var start = 0
  /// No line ends between ``start`` and here.
  private var searched = 0
  /// The number of rows so far.
  private(set) var count = 0

  /// - Parameter zone: the zone of the server, for columns without one.
  init(zone: Zone) { cells = CellReader(zone: zone) }

  /// A result that is not in the format.
  enum Fault: Error, Equatable {
    /// The first two lines do not declare columns.
    case columns
    /// The row, from 0, has another number of cells than the result has columns.
    case cells(row: Int, count: Int, columns: Int)
    /// The type of a column does not allow the text of a cell.
    case cell(row: Int, column: String, type: String, text: String)
    /// The last line does not end.
    case unfinished
  }

  /// The bytes that are not parsed yet.
  var rest: ArraySlice<UInt8> { buffer[start...] }

  mutating func append(_ bytes: [UInt8]) {
    if start > 0, start == buffer.count || start > 1 << 20 {
      buffer.removeSubrange(..<start)
      searched -= start
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Parses rows that are complete.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of rows in `rows`.
  ///   - held: the number of last bytes of the buffer whose rows are not parsed.
  mutating func parse(
    into rows: inout [[Value]], limit: Int = .max, holding held: Int = 0
  ) throws(Fault) {
    if columns == nil { try parseColumns() }
    guard let columns else { return }
    while rows.count < limit, let end = lineEnd(), end < buffer.count - held {
      rows.append(try row(start..<end, columns: columns))
      start = end + 1
      searched = start
      count += 1
    }
  }

  /// Checks that the result has ended with a line.
  mutating func finish() throws(Fault) {
    if start < buffer.count { throw columns == nil ? .columns : .unfinished }
    // A statement without a result has no columns; a line of names needs its types.
    if columns == nil { columns = [] }
  }

  /// The offset of the end of the first line; nil if it is not received yet.
  private mutating func lineEnd() -> Int? {
    let from = searched
    let count = buffer.count
    let found = buffer.withUnsafeBytes { bytes -> Int? in
      guard from < count, let base = bytes.baseAddress,
        let found = memchr(base + from, 0x0A, count - from)
      else { return nil }
      return base.distance(to: UnsafeRawPointer(found))
    }
    searched = found ?? count
    return found
  }

  private mutating func parseColumns() throws(Fault) {
    guard let first = lineEnd() else { return }
    searched = first + 1
    guard let second = lineEnd() else {
      searched = start
      return
    }
    let names = try strings(start..<first)
    let typeNames = try strings(first + 1..<second)
    guard names.count == typeNames.count else { throw .columns }
    var columns: [DatabaseColumn] = []
    for (name, text) in zip(names, typeNames) {
      guard let type = TypeName(text) else { throw .columns }
      types.append(ColumnType(type))
      columns.append(DatabaseColumn(clickHouse: name, type: text))
    }
    self.columns = columns
    start = second + 1
    searched = start
  }

  /// The cells of a line, as strings; bytes that are not UTF-8 are replaced.
  private func strings(_ line: Range<Int>) throws(Fault) -> [String] {
    var strings: [String] = []
    for cell in buffer[line].split(separator: 0x09, omittingEmptySubsequences: false) {
      do throws(MalformedCell) {
        let bytes = try cell.withUnsafeBufferPointer { bytes throws(MalformedCell) in
          try TabSeparated.unescaped(UnsafeRawBufferPointer(bytes))
        }
        strings.append(String(decoding: bytes, as: UTF8.self))
      } catch {
        throw .columns
      }
    }
    return strings
  }

  private mutating func row(
    _ line: Range<Int>, columns: [DatabaseColumn]
  ) throws(Fault) -> [Value] {
    let types = types
    let number = count
    // The reader is moved out, so that it and the buffer can be used at the same time.
    var cells = CellReader(zone: .gmt)
    swap(&cells, &self.cells)
    defer { swap(&cells, &self.cells) }
    return try buffer.withUnsafeBufferPointer { bytes throws(Fault) -> [Value] in
      let line = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[line]))
      var row: [Value] = []
      row.reserveCapacity(types.count)
      var place = 0
      while row.count < types.count, place <= line.count {
        let end = Self.cellEnd(in: line, from: place)
        let cell = UnsafeRawBufferPointer(rebasing: line[place..<end])
        do throws(MalformedCell) {
          row.append(try cells.value(of: cell, as: types[row.count]))
        } catch {
          let column = columns[row.count]
          throw .cell(
            row: number, column: column.name, type: column.declaredType,
            text: String(decoding: cell.prefix(100), as: UTF8.self))
        }
        place = end + 1
      }
      guard row.count == types.count, place == line.count + 1 else {
        let count = line.count { $0 == 0x09 } + 1
        throw .cells(row: number, count: count, columns: types.count)
      }
      return row
    }
  }

  private static func cellEnd(in line: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard start < line.count, let base = line.baseAddress,
      let found = memchr(base + start, 0x09, line.count - start)
    else { return line.count }
    return base.distance(to: UnsafeRawPointer(found))
  }
}
