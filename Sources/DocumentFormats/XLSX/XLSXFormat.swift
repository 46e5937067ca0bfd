import DataCompression
import DataTables

/// Sheets of Excel workbooks: Office Open XML, ISO/IEC 29500, both transitional and strict.
struct XLSXFormat: TableFormat {
  let names = ["xlsx"]
  let extensions = ["xlsx", "xlsm", "xltx", "xltm"]
  let mediaTypes = [
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.ms-excel.sheet.macroenabled.12",
  ]
  let options: [ReadOption] = [.sheet, .header, .keys, .skip, .strict] + ReadOption.cellTypes

  /// The names of the parts precede their contents, which are compressed.
  func recognize(_ sample: FormatSample) -> Recognition {
    guard sample.bytes.starts(with: Array("PK\u{3}\u{4}".utf8)) else { return .impossible }
    if sample.bytes.contains("xl/workbook.xml") || sample.bytes.contains("xl/worksheets/") {
      return .certain
    }
    return sample.bytes.contains("[Content_Types].xml") ? .possible : .impossible
  }

  func read(_ input: FormatInput) throws -> LoadedTable {
    let workbook = try Workbook(input)
    let (sheet, notes) = try SheetChoice(workbook, input.options[.sheet]).read()
    var table = try SheetTable(sheet, options: input.options)
    table.report.notes = notes + table.report.notes
    if !input.options.given.filter({ Self.typeOptions.contains($0) }).isEmpty {
      try table.read(as: input)
    } else if input.request.reportsColumns {
      table.report.columns = ValueColumns(table.rows)
        .reports(rows: table.rows.count, lines: table.lines)
    }
    return LoadedTable(
      table: ValueTable(table.rows, lines: table.lines), report: table.report)
  }

  private static let typeOptions = ReadOption.cellTypes.map(\.name)
}

extension ReadOption {
  static let sheet = ReadOption(
    "sheet", .nameOrNumber, "name of a sheet, or its number from 1", example: "\"2024\"")
}
