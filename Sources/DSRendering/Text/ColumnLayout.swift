/// The widths of the columns of a table, their alignment, and how many columns fit.
struct ColumnLayout {
  private(set) var widths: [Int]
  private(set) var isNumeric: [Bool]
  /// The columns that fit; later ones are omitted.
  private(set) var fitting: Range<Int>

  private static let gap = 2
  /// The smallest widths to which text and numbers are shortened. The width for numbers is larger,
  /// because a shortened number misleads.
  private static let minimumTextWidth = 8
  private static let minimumNumberWidth = 20

  /// - Parameters:
  ///   - rows: one cell per column.
  ///   - available: the number of cells in a line; nil for lines of any width.
  init(header: [Cell]?, rows: [[Cell]], available: Int?) {
    let count = header?.count ?? rows.first?.count ?? 0
    widths = header?.map(\.width) ?? Array(repeating: 0, count: count)
    var hasNumber = Array(repeating: false, count: count)
    var hasText = hasNumber
    for row in rows {
      for (column, cell) in row.enumerated() where column < count {
        widths[column] = max(widths[column], cell.width)
        if cell.role == .number { hasNumber[column] = true }
        if cell.role == .text && !cell.text.isEmpty || cell.role == .indexPath {
          hasText[column] = true
        }
      }
    }
    isNumeric = zip(hasNumber, hasText).map { $0 && !$1 }
    fitting = 0..<count
    if let available { fit(into: max(available, 1)) }
  }

  private mutating func fit(into available: Int) {
    let minimums = zip(widths, isNumeric).map { width, isNumeric in
      min(width, isNumeric ? Self.minimumNumberWidth : Self.minimumTextWidth)
    }
    var used = 0
    var count = 0
    for width in minimums {
      used += width + (count == 0 ? 0 : Self.gap)
      if used > available && count > 0 { break }
      count += 1
    }
    fitting = 0..<count
    guard count > 0 else { return }
    let gaps = Self.gap * (count - 1)
    // The widest columns shrink first, all to the largest common width that fits.
    var low = 1
    var high = widths[fitting].max() ?? 1
    while low < high {
      let cap = low + (high - low + 1) / 2
      if total(cap, minimums) + gaps <= available { low = cap } else { high = cap - 1 }
    }
    var spare = available - gaps - total(low, minimums)
    for column in fitting {
      var width = min(widths[column], max(low, minimums[column]))
      if width < widths[column] && spare > 0 {
        width += 1
        spare -= 1
      }
      widths[column] = min(width, available)
    }
  }

  private func total(_ cap: Int, _ minimums: [Int]) -> Int {
    fitting.reduce(0) { $0 + min(widths[$1], max(cap, minimums[$1])) }
  }

  /// The cells in one line, without white space at the end.
  func line(_ cells: [Cell], paint: Paint) -> String {
    var line = ""
    var blanks = 0
    for column in fitting where column < cells.count {
      let cell = cells[column]
      let padding = max(0, widths[column] - cell.width)
      if isNumeric[column] { blanks += padding }
      if !cell.text.isEmpty {
        line += String(repeating: " ", count: blanks) + cell.shown(in: widths[column], paint: paint)
        blanks = 0
      }
      blanks += Self.gap + (isNumeric[column] ? 0 : padding)
    }
    return line
  }
}
