/// Whether the cells of a row look like keys of the rows below it.
enum HeaderGuess {
  /// A cell is a word above numbers or dates.
  case header
  /// The cells are of the types of their columns, and at least one is a number or a date.
  case data
  /// All columns are words.
  case either

  init(_ cells: [String], above rows: [[String]]) {
    if Self.areConsecutive(cells) && !rows.contains(where: Self.areConsecutive)
      || Self.areYears(cells) && !rows.contains(where: Self.areYears)
    {
      self = .header
      return
    }
    var isData = false
    for (column, cell) in cells.enumerated() where !CellKind.isMissing(cell) {
      let below = rows.compactMap { row in
        column < row.count && !CellKind.isMissing(row[column]) ? row[column] : nil
      }
      guard !below.isEmpty, below.allSatisfy(CellKind.isNumberOrDate) else { continue }
      if !CellKind.isNumberOrDate(cell) {
        self = .header
        return
      }
      isData = true
    }
    self = isData ? .data : .either
  }

  /// Whether the integers among the cells ascend by one, such as years above their values.
  static func areConsecutive(_ cells: [String]) -> Bool {
    let numbers = cells.compactMap { Int($0) }
    return numbers.count > 2 && zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 &+ 1 }
  }

  /// Whether some cells are years at equal distances, and no other cell is a number or a date.
  private static func areYears(_ cells: [String]) -> Bool {
    let typed = cells.filter(CellKind.isNumberOrDate)
    let years = typed.compactMap { Int($0) }
    guard years.count > 1, years.count == typed.count,
      years.allSatisfy({ (1800...2199).contains($0) })
    else { return false }
    let step = years[1] - years[0]
    return (1...10).contains(abs(step))
      && zip(years, years.dropFirst()).allSatisfy { $1 - $0 == step }
  }

  /// Whether cells can be keys: none is empty, a number or a date.
  static func areKeys(_ cells: [String]) -> Bool {
    cells.allSatisfy { !$0.isEmpty && !CellKind.isNumberOrDate($0) }
  }
}
