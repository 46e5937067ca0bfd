/// Lines that wait until enough of them are there to be aligned and written.
///
/// The first ones settle the widths; a listing with a limit of rows has no others.
struct ListingPage {
  private enum Line {
    case title(Cell)
    case row([Cell])
  }
  private var lines: [Line] = []
  private var layout: ColumnLayout?
  private let header: [Cell]?
  private let indent: String
  private let terminal: TerminalTraits

  init(header: [Cell]?, isIndented: Bool, terminal: TerminalTraits) {
    self.header = header
    indent = isIndented ? "  " : ""
    self.terminal = terminal
  }

  var isFull: Bool { lines.count >= 1024 }
  /// How many of the last columns were left out of what was written.
  var hiddenColumns: Int { layout.map { $0.widths.count - $0.fitting.count } ?? 0 }

  mutating func append(title: Cell) { lines.append(.title(title)) }
  mutating func append(row: [Cell]) { lines.append(.row(row)) }

  mutating func flush(_ write: (String) throws -> Void) throws {
    var text = ""
    let paint = Paint(terminal)
    if layout == nil, let header { lines.insert(.row(header), at: 0) }
    let layout = self.layout ?? settle()
    self.layout = layout
    for line in lines {
      switch line {
      case .title(let title):
        text += title.shown(in: terminal.width ?? title.width, paint: paint) + "\n"
      case .row(let cells): text += indent + layout.line(cells, paint: paint) + "\n"
      }
    }
    lines.removeAll(keepingCapacity: true)
    try write(text)
  }

  private func settle() -> ColumnLayout {
    let rows = lines.compactMap { line in
      if case .row(let cells) = line { cells } else { nil }
    }
    return ColumnLayout(
      header: header, rows: rows, available: terminal.width.map { $0 - indent.utf8.count })
  }
}
