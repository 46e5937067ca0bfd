extension NumericColumn.Kind {
  /// The key of a cell; nil if the cell is not of this kind or another value has the same key.
  func key(of cell: UnsafeRawBufferPointer) -> UInt64? {
    switch self {
    case .integer: Scalar.integer(cell).flatMap { NumericColumn.key($0) }
    case .real: realKey(of: cell)
    case .date:
      Scalar.moment(cell).flatMap(\.ticks).flatMap { NumericColumn.key($0) }
    }
  }

  /// Decimals of up to 15 digits have distinct doubles. A longer decimal has a key only if it is
  /// the shortest text of its double.
  private func realKey(of cell: UnsafeRawBufferPointer) -> UInt64? {
    guard let double = Scalar.real(cell), double.isFinite else { return nil }
    if cell.count > 15 {
      let digits = cell.count { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
      if digits > 15, !"\(double)".utf8.elementsEqual(cell) { return nil }
    }
    return NumericColumn.key(double)
  }
}
