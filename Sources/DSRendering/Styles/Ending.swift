internal import DataTables

/// What stands under a table of which not all is shown.
struct Ending {
  var hiddenRows = 0
  /// Sections that would follow and have no objects.
  var hiddenSections = 0
  var hiddenColumns: [String] = []

  func text(_ terminal: TerminalTraits) -> String {
    var lines: [String] = []
    if hiddenRows > 0 {
      lines.append("… \(hiddenRows.grouped) more")
    } else if hiddenSections > 0 {
      lines.append("… \(hiddenSections.grouped) more sections without objects")
    }
    if !hiddenColumns.isEmpty {
      let names = hiddenColumns.map { $0.escapingControls() }.joined(separator: ", ")
      let noun = hiddenColumns.count == 1 ? "column" : "columns"
      lines.append("… \(hiddenColumns.count.grouped) more \(noun): \(names)")
    }
    let paint = Paint(terminal)
    return lines.map { line in
      paint.dim(terminal.width.map(line.shortened(to:)) ?? line) + "\n"
    }.joined()
  }
}
