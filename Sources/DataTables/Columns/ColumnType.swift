/// What the cells of a column are read as.
public enum ColumnType: String, Hashable, Sendable, CaseIterable {
  case integer, real, bool, date, string
  /// Nested or mixed values, as only JSON has them.
  case value
}

/// Its name: interpolation finds that out by reflection where nothing is declared, which takes 40 µs
/// for each key of a load.
extension ColumnType: CustomStringConvertible {
  public var description: String { rawValue }
}
