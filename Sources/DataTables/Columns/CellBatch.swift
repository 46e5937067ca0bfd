/// The cells of some consecutive rows, as a driver of a database reads them: neither a string nor a
/// ``Value`` is made for a cell.
///
/// Not thread-safe; each worker has its own batch.
package final class CellBatch {
  /// The first byte of a cell in a dictionary of a ``ColumnBuilder``.
  enum Tag {
    static let null: UInt8 = 0
    static let integer: UInt8 = 1
    static let real: UInt8 = 2
    static let text: UInt8 = 3
    static let data: UInt8 = 4
    static let bool: UInt8 = 5
  }

  /// The cells of one column. The bytes of a text follow its tag.
  struct Cells {
    let tags: UnsafeMutablePointer<UInt8>
    /// The bits of a number, or the place of the tag of a text among ``bytes``.
    let words: UnsafeMutablePointer<UInt64>
    let lengths: UnsafeMutablePointer<UInt32>
    fileprivate(set) var bytes: UnsafeMutableRawPointer
    fileprivate var capacity: Int
    fileprivate var used = 0

    /// A text with the tag before it; 16 bytes from its start can be read.
    @inline(__always) func tagged(_ row: Int) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: bytes + Int(words[row]), count: Int(lengths[row]) &+ 1)
    }
  }

  static let maxRows = 256
  /// Rows with large texts are passed on earlier.
  private static let maxBytes = 4 << 20
  private static let padding = 16

  package let columns: Int
  package private(set) var count = 0
  private var byteCount = 0
  private let cells: UnsafeMutablePointer<Cells>

  package init(columns: Int) {
    self.columns = columns
    cells = .allocate(capacity: columns)
    for column in 0..<columns {
      let capacity = 1 << 12
      (cells + column).initialize(
        to: Cells(
          tags: .allocate(capacity: Self.maxRows), words: .allocate(capacity: Self.maxRows),
          lengths: .allocate(capacity: Self.maxRows),
          bytes: .allocate(byteCount: capacity, alignment: 16), capacity: capacity))
    }
  }

  deinit {
    for column in 0..<columns {
      cells[column].tags.deallocate()
      cells[column].words.deallocate()
      cells[column].lengths.deallocate()
      cells[column].bytes.deallocate()
    }
    cells.deallocate()
  }

  subscript(column: Int) -> Cells { cells[column] }

  /// Whether the rows must be passed on before the next row begins.
  package var isFull: Bool { count == Self.maxRows || byteCount >= Self.maxBytes }

  package func removeAll() {
    count = 0
    byteCount = 0
    for column in 0..<columns { cells[column].used = 0 }
  }

  /// Ends a row, after each of its cells was set.
  package func endRow() { count += 1 }

  package func setNull(_ column: Int) { cells[column].tags[count] = Tag.null }

  package func set(_ column: Int, integer: Int64) {
    cells[column].tags[count] = Tag.integer
    cells[column].words[count] = UInt64(bitPattern: integer)
  }

  package func set(_ column: Int, real: Double) {
    cells[column].tags[count] = Tag.real
    cells[column].words[count] = real.bitPattern
  }

  /// - Precondition: `bytes` has fewer than 2^30 bytes.
  package func set(_ column: Int, text bytes: UnsafeRawBufferPointer) {
    set(column, bytes, Tag.text)
  }

  /// - Precondition: `bytes` has fewer than 2^30 bytes.
  package func set(_ column: Int, data bytes: UnsafeRawBufferPointer) {
    set(column, bytes, Tag.data)
  }

  @inline(__always)
  private func set(_ column: Int, _ bytes: UnsafeRawBufferPointer, _ tag: UInt8) {
    let place = cells + column
    let start = place.pointee.used
    let end = start &+ 1 &+ bytes.count
    if end &+ Self.padding > place.pointee.capacity { grow(place, to: end &+ Self.padding) }
    let target = place.pointee.bytes + start
    target.storeBytes(of: tag, as: UInt8.self)
    if let source = bytes.baseAddress {
      (target + 1).copyMemory(from: source, byteCount: bytes.count)
    }
    place.pointee.tags[count] = tag
    place.pointee.words[count] = UInt64(truncatingIfNeeded: start)
    place.pointee.lengths[count] = UInt32(truncatingIfNeeded: bytes.count)
    place.pointee.used = end
    if bytes.count > 1 << 10 { byteCount += bytes.count }
  }

  private func grow(_ place: UnsafeMutablePointer<Cells>, to needed: Int) {
    let capacity = max(needed, place.pointee.capacity * 2)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: place.pointee.bytes, byteCount: place.pointee.used)
    place.pointee.bytes.deallocate()
    place.pointee.bytes = larger
    place.pointee.capacity = capacity
  }
}
