import DataTables

/// The sheet that is read: the one with a name or number, else the first visible one with values.
struct SheetChoice {
  private let workbook: Workbook
  private let wanted: Value?

  /// - Parameter wanted: the value of `sheet:`, a name or a number from 1.
  init(_ workbook: Workbook, _ wanted: Value?) {
    self.workbook = workbook
    self.wanted = wanted
  }

  /// - Returns: the sheet, and a note that names the others.
  /// - Throws: `TableError.badArgument` for an unknown sheet, and the errors of ``SheetReader``.
  func read() throws -> (rows: SheetRows, notes: [String]) {
    if let wanted {
      return (try rows(of: try sheet(wanted)), [])
    }
    guard var chosen = candidates.first else {
      throw TableError.format("the workbook has no sheet with cells", at: nil)
    }
    var result = try rows(of: chosen)
    for sheet in candidates.dropFirst() where result.rows.isEmpty {
      chosen = sheet
      result = try rows(of: sheet)
    }
    let others = workbook.sheets.filter { $0.part != chosen.part }
    if others.isEmpty { return (result, []) }
    let note = "read the sheet `\(chosen.name)`; others: " + Self.options(for: others)
    return (result, [note])
  }

  /// Hidden sheets come last.
  private var candidates: [Workbook.Sheet] {
    workbook.sheets.filter { !$0.isHidden } + workbook.sheets.filter(\.isHidden)
  }

  private func rows(of sheet: Workbook.Sheet) throws -> SheetRows {
    var reader = SheetReader(sheet, of: workbook)
    return try reader.read()
  }

  private func sheet(_ wanted: Value) throws(TableError) -> Workbook.Sheet {
    let sheets = workbook.sheets
    let name = wanted.string ?? wanted.json
    if let sheet = sheets.first(where: { $0.name == name }) { return sheet }
    let lowercased = name.lowercased()
    if let sheet = sheets.first(where: { $0.name.lowercased() == lowercased }) { return sheet }
    if case .integer(let number) = wanted, number >= 1, number <= sheets.count {
      return sheets[number - 1]
    }
    let near = NearNames.order(of: sheets.map(\.name), from: name).prefix(Self.maxNear)
    let list = Self.options(for: near.map { sheets[$0] })
    throw .badArgument(
      sheets.count > Self.maxNear
        ? "the workbook has no sheet `\(name)`; the nearest of its \(sheets.count) sheets are \(list)"
        : "the workbook has no sheet `\(name)`; it has \(list)")
  }

  /// The number of sheets that the error for an unknown one names.
  private static let maxNear = 4

  private static let maxListed = 8

  private static func options(for sheets: [Workbook.Sheet]) -> String {
    var text = sheets.prefix(maxListed).map { sheet in
      "`sheet: \(Value.string(sheet.name).json)`" + (sheet.isHidden ? " (hidden)" : "")
    }.joined(separator: ", ")
    if sheets.count > maxListed { text += " and \(sheets.count - maxListed) more" }
    return text
  }
}
