internal import CScan

/// The kinds of cells that can be told by an order-preserving key of 64 bits.
enum NumericKind {
  case integer, real, date

  init?(_ type: ColumnType) {
    switch type {
    case .integer: self = .integer
    case .real: self = .real
    case .date: self = .date
    case .bool, .string, .value: return nil
    }
  }

  var type: ColumnType {
    switch self {
    case .integer: .integer
    case .real: .real
    case .date: .date
    }
  }

  var column: NumericColumn.Kind {
    switch self {
    case .integer: .integer
    case .real: .real
    case .date: .date
    }
  }

  /// The key of a cell; nil when it is not of the kind, or when its key could not be told from that
  /// of another value.
  func key(of cell: UnsafeRawBufferPointer) -> UInt64? {
    switch self {
    case .integer: Scalar.integer(cell).flatMap { NumericColumn.key($0) }
    case .real: realKey(of: cell)
    case .date:
      Scalar.moment(cell).flatMap(\.ticks).flatMap { NumericColumn.key($0) }
    }
  }

  /// Up to 15 digits every decimal has a double of its own; beyond that only the shortest text of a
  /// double is taken.
  private func realKey(of cell: UnsafeRawBufferPointer) -> UInt64? {
    guard let double = Scalar.real(cell), double.isFinite else { return nil }
    if cell.count > 15 {
      let digits = cell.count { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
      if digits > 15, !"\(double)".utf8.elementsEqual(cell) { return nil }
    }
    return NumericColumn.key(double)
  }

  /// The keys of every `stride`-th field; false when some cell has none.
  func encode(
    _ fields: UnsafePointer<ds_field>, count: Int, stride: Int, of bytes: UnsafePointer<UInt8>,
    into keys: UnsafeMutablePointer<UInt64>, cells: CellReader
  ) -> Bool {
    for index in 0..<count {
      let field = fields[index &* stride]
      guard field.length != 0 else {
        keys[index] = NumericColumn.null
        continue
      }
      let key = cells.withCell(field, in: bytes) { cell in
        cells.isNull(cell) ? NumericColumn.null : self.key(of: cell)
      }
      guard let key else { return false }
      keys[index] = key
    }
    return true
  }
}
