/// Lines of a listing that are collected, aligned and written together.
///
/// The first page determines the column widths; a listing with a row limit usually has only one page.
struct ListingPage {
  private enum Line {
    case title(Cell)
    case row([Cell])
    case note(TableFooter)
  }
  private var lines: [Line] = []
  private var layout: ColumnLayout?
  private let header: [Cell]?
  private let isIndented: Bool
  private let rules: ColumnLayout.Rules
  private let terminal: TerminalTraits
  private var lastLine = BoxLine.none

  /// The lines of a box, which determine the rules between them.
  private enum BoxLine { case none, header, row, across }

  private static let indent = "  "

  init(
    header: [Cell]?, isIndented: Bool, rules: ColumnLayout.Rules, terminal: TerminalTraits
  ) {
    self.header = header
    self.isIndented = isIndented && rules == .none
    self.rules = rules
    self.terminal = terminal
  }

  var isFull: Bool { lines.count >= 1024 }
  /// The number of columns at the end that did not fit.
  var hiddenColumns: Int { layout.map { $0.widths.count - $0.fitting.count } ?? 0 }

  mutating func append(title: Cell) { lines.append(.title(title)) }
  mutating func append(row: [Cell]) { lines.append(.row(row)) }
  mutating func append(note: TableFooter) { lines.append(.note(note)) }

  mutating func flush(_ write: (String) throws -> Void) throws {
    let isFirst = layout == nil
    let layout = self.layout ?? measured()
    self.layout = layout
    var text = ""
    // Titles without rows need no header.
    if isFirst, let header, !isIndented || hasRows {
      text +=
        rules == .box ? boxed(.row(header), as: .header, layout) : self.text(of: header, layout)
    }
    for line in lines {
      switch line {
      case .title, .note:
        text += rules == .box ? boxed(line, as: .across, layout) : self.text(of: line, layout)
      case .row(let cells):
        text += rules == .box ? boxed(line, as: .row, layout) : self.text(of: cells, layout)
      }
    }
    lines.removeAll(keepingCapacity: true)
    try write(text)
  }

  /// Writes the lines that are left, and the end of a box.
  mutating func finish(_ write: (String) throws -> Void) throws {
    try flush(write)
    guard rules == .box, let layout, lastLine != .none else { return }
    try write((lastLine == .across ? layout.plainBottomRule : layout.bottomRule) + "\n")
  }

  private var hasRows: Bool { lines.contains { if case .row = $0 { true } else { false } } }

  private func text(of line: Line, _ layout: ColumnLayout) -> String {
    switch line {
    case .title(let title):
      title.shown(in: terminal.width ?? title.width, paint: Paint(terminal)) + "\n"
    case .row(let cells): text(of: cells, layout)
    case .note(let note): note.text(terminal, indent: Self.indent)
    }
  }

  private func text(of cells: [Cell], _ layout: ColumnLayout) -> String {
    (isIndented ? Self.indent : "") + layout.line(cells, paint: Paint(terminal)) + "\n"
  }

  /// A line of a box with the rule above it.
  private mutating func boxed(_ line: Line, as kind: BoxLine, _ layout: ColumnLayout) -> String {
    let rule: String? =
      switch (lastLine, kind) {
      case (.none, .across): layout.plainTopRule
      case (.none, _): layout.topRule
      case (.across, .across): layout.plainMiddleRule
      case (.across, _): layout.openingRule
      case (_, .across): layout.closingRule
      case (.header, _): layout.middleRule
      default: nil
      }
    lastLine = kind
    let paint = Paint(terminal)
    let text =
      switch line {
      case .title(let cell): layout.boxedLine(across: cell, paint: paint)
      case .note(let note): layout.boxedLine(across: note.cell, paint: paint)
      case .row(let cells): layout.line(cells, paint: paint)
      }
    return (rule.map { $0 + "\n" } ?? "") + text + "\n"
  }

  private func measured() -> ColumnLayout {
    let rows = lines.compactMap { line in
      if case .row(let cells) = line { cells } else { nil }
    }
    var layout = ColumnLayout(
      header: header, rows: rows,
      available: terminal.width.map { $0 - (isIndented ? Self.indent.utf8.count : 0) },
      rules: rules)
    if rules == .box {
      let across = lines.map { line in
        switch line {
        case .title(let title): title.width
        case .note(let note): note.cell.width
        case .row: 0
        }
      }
      layout.widen(toHold: across.max() ?? 0, available: terminal.width)
    }
    return layout
  }
}
