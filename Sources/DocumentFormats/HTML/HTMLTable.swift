/// A table of an HTML document, as written: cells may span columns and rows.
struct HTMLTable {
  struct Cell {
    /// With runs of blanks collapsed.
    var text = ""
    var isHeader = false
    var columns = 1
    /// 0 for all rows of the group.
    var rows = 1
  }

  struct Row {
    var cells: [Cell] = []
    /// The line on which the row starts.
    var line: Int
    /// Whether the row is in a `thead`.
    var isInHead: Bool
    /// The number of the row group; cells do not span groups.
    var group: Int
  }

  var rows: [Row] = []
  var caption = ""
  let line: Int

  /// The number of cells that are not empty.
  var size: Int {
    rows.reduce(0) { $0 + $1.cells.count { !$0.text.isEmpty } }
  }
}
