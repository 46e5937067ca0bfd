import DataTables

/// The number formats of the cell styles of a workbook (ISO/IEC 29500-1, 18.8).
struct CellStyles {
  /// Whether day 0 is 1904-01-01.
  var has1904Dates = false
  /// The format of each style.
  private(set) var formats: [NumberFormat] = []

  mutating func read(_ part: String, of package: WorkbookPackage) throws {
    var custom: [Int: NumberFormat] = [:]
    var numbers: [Int] = []
    try package.forEachElement(of: part) { path, attributes in
      switch path {
      case ["styleSheet", "numFmts", "numFmt"]:
        if let id = attributes["numFmtId"].flatMap({ Int($0) }), let code = attributes["formatCode"]
        {
          custom[id] = NumberFormat(code: code)
        }
      case ["styleSheet", "cellXfs", "xf"]:
        numbers.append(attributes["numFmtId"].flatMap { Int($0) } ?? 0)
      default: break
      }
    }
    formats = numbers.map { custom[$0] ?? NumberFormat(number: $0) }
  }

  /// The format of cells of a style; a plain number for an unknown style.
  @inline(__always)
  func format(of style: Int) -> NumberFormat {
    style < formats.count && style >= 0 ? formats[style] : .number
  }
}
