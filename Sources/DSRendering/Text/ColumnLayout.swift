/// The widths of the columns of a table, their alignment, and how many columns fit.
struct ColumnLayout {
  private(set) var widths: [Int]
  private(set) var isNumeric: [Bool]
  /// The columns that fit; later ones are omitted.
  private(set) var fitting: Range<Int>

  /// The lines between and around cells.
  enum Rules {
    case none, box

    /// The number of cells between two columns.
    fileprivate var gap: Int { self == .box ? 3 : 2 }
    /// The number of cells before the first and after the last column, together.
    fileprivate var margin: Int { self == .box ? 4 : 0 }
  }
  private let rules: Rules

  /// The smallest widths to which text and numbers are shortened. The width for numbers is larger,
  /// because a shortened number misleads.
  private static let minimumTextWidth = 8
  private static let minimumNumberWidth = 20

  /// - Parameters:
  ///   - rows: one cell per column.
  ///   - available: the number of cells in a line; nil for lines of any width.
  init(header: [Cell]?, rows: [[Cell]], available: Int?, rules: Rules = .none) {
    self.rules = rules
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
    if let available { fit(into: max(available - rules.margin, 1)) }
  }

  private mutating func fit(into available: Int) {
    let minimums = zip(widths, isNumeric).map { width, isNumeric in
      min(width, isNumeric ? Self.minimumNumberWidth : Self.minimumTextWidth)
    }
    var used = 0
    var count = 0
    for width in minimums {
      used += width + (count == 0 ? 0 : rules.gap)
      if used > available && count > 0 { break }
      count += 1
    }
    fitting = 0..<count
    guard count > 0 else { return }
    let gaps = rules.gap * (count - 1)
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
    if rules == .box { return boxedLine(cells, paint: paint) }
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
      blanks += rules.gap + (isNumeric[column] ? 0 : padding)
    }
    return line
  }

  // Boxes.

  private func boxedLine(_ cells: [Cell], paint: Paint) -> String {
    let shown = fitting.map { column in
      let cell = column < cells.count ? cells[column] : Cell("")
      let blanks = String(repeating: " ", count: max(0, widths[column] - cell.width))
      let text = cell.shown(in: widths[column], paint: paint)
      return isNumeric[column] ? blanks + text : text + blanks
    }
    return "│ " + shown.joined(separator: " │ ") + " │"
  }

  /// A text across all columns of a box.
  func boxedLine(across cell: Cell, paint: Paint) -> String {
    let blanks = String(repeating: " ", count: max(0, innerWidth - cell.width))
    return "│ " + cell.shown(in: innerWidth, paint: paint) + blanks + " │"
  }

  private var innerWidth: Int {
    fitting.reduce(0) { $0 + widths[$1] } + rules.gap * max(0, fitting.count - 1)
  }

  /// Widens the last column, so that a text of `width` cells fits across all columns.
  mutating func widen(toHold width: Int, available: Int?) {
    guard let last = fitting.last else { return }
    let width = min(width, available.map { $0 - rules.margin } ?? width)
    widths[last] += max(0, width - innerWidth)
  }

  var topRule: String { rule("┌", "┬", "┐") }
  var middleRule: String { rule("├", "┼", "┤") }
  var bottomRule: String { rule("└", "┴", "┘") }
  /// The rules between the columns and a text across them.
  var closingRule: String { rule("├", "┴", "┤") }
  var openingRule: String { rule("├", "┬", "┤") }
  /// The rules of texts across all columns.
  var plainTopRule: String { rule("┌", "─", "┐") }
  var plainMiddleRule: String { rule("├", "─", "┤") }
  var plainBottomRule: String { rule("└", "─", "┘") }

  private func rule(_ left: String, _ cross: String, _ right: String) -> String {
    left + fitting.map { String(repeating: "─", count: widths[$0] + 2) }.joined(separator: cross)
      + right
  }
}
