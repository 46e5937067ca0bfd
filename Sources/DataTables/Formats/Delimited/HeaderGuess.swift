/// Whether the cells of a row look like keys of the rows below it.
enum HeaderGuess {
  /// A cell is a word above numbers or dates.
  case header
  /// The cells are of the types of their columns, and at least one is a number or a date.
  case data
  /// All columns are words.
  case either

  init(_ cells: [String], above rows: [[String]]) {
    var isData = false
    for (column, cell) in cells.enumerated() where !cell.isEmpty {
      let below = rows.compactMap { column < $0.count && !$0[column].isEmpty ? $0[column] : nil }
      guard !below.isEmpty, below.allSatisfy(CellKind.isNumberOrDate) else { continue }
      if !CellKind.isNumberOrDate(cell) {
        self = .header
        return
      }
      isData = true
    }
    self = isData ? .data : .either
  }

  /// Whether cells can be keys: none is empty, a number or a date.
  static func areKeys(_ cells: [String]) -> Bool {
    cells.allSatisfy { !$0.isEmpty && !CellKind.isNumberOrDate($0) }
  }
}
