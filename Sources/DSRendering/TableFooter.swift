internal import DataTables
internal import DisplayText

/// The lines below a table that is not shown in full.
struct TableFooter {
  var hiddenRows = 0
  /// The number of keys of one object.
  var hiddenKeys = 0
  /// The number of sections after the last shown section.
  var hiddenSections = 0
  /// The command that shows more.
  var command = "more"
  var hiddenColumns: [String] = []

  func text(_ terminal: TerminalTraits, indent: String = "") -> String {
    if !hiddenColumns.isEmpty { terminal.notices?.hidesColumns = true }
    let paint = Paint(terminal)
    return lines.map { line in
      let available = terminal.width.map { $0 - indent.utf8.count }
      return indent + paint.dim(available.map(line.shortened(to:)) ?? line) + "\n"
    }.joined()
  }

  /// The lines as one cell.
  var cell: Cell { Cell(lines.joined(separator: " "), role: .indexPath) }

  var lines: [String] {
    var lines: [String] = []
    if hiddenKeys > 0 { lines.append("… \(hiddenKeys.counted("more key"))") }
    if let rows { lines.append("\(rows) (\(command))") }
    if !hiddenColumns.isEmpty {
      let names = hiddenColumns.map { $0.escapingControls() }.joined(separator: ", ")
      let noun = hiddenColumns.count == 1 ? "column" : "columns"
      lines.append("… \(hiddenColumns.count.grouped) more \(noun): \(names)")
    }
    return lines
  }

  private var rows: String? {
    if hiddenSections > 0 {
      let noun = hiddenSections == 1 ? "section" : "sections"
      let objects = hiddenRows > 0 ? "with \(hiddenRows.counted("object"))" : "without objects"
      return "… \(hiddenSections.grouped) more \(noun) \(objects)"
    }
    return hiddenRows > 0 ? "… \(hiddenRows.grouped) more" : nil
  }
}
