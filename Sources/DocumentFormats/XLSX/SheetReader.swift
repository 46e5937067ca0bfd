internal import CXML
import DataTables

/// The rows of a sheet that have values.
struct SheetRows {
  var name = ""
  var rows: [SheetRow] = []
  /// The number of each row in the sheet, from 1, ascending.
  var numbers: [Int] = []
  /// Cells with an error such as `#DIV/0!`, which are null: the number, and the first one.
  var errors = 0
  var firstError: (place: String, text: String)?
  /// Formulas whose result is not saved, which are null.
  var formulas = 0
  var mergedRanges = 0

  var width: Int { rows.lazy.map(\.count).max() ?? 0 }
}

/// Reads the cells of a sheet in one pass (ISO/IEC 29500-1, 18.3).
struct SheetReader {
  private let workbook: Workbook
  private let sheet: Workbook.Sheet
  private var result = SheetRows()
  private var tags = SheetTags()
  private var path: [SheetTag] = []
  private var rowNumber = 0
  private var row = SheetRow()
  /// The number of values of all rows, with those that are null.
  private var values = 0

  // The open cell.
  private var column = -1
  private var style = 0
  private var type: [UInt8] = []
  private var text: [UInt8] = []
  private var hasText = false
  private var hasFormula = false

  private static let maxColumns = 16_384
  private static let maxRows = 1_048_576
  private static let maxValues = 1 << 26

  init(_ sheet: Workbook.Sheet, of workbook: Workbook) {
    self.workbook = workbook
    self.sheet = sheet
    result.name = sheet.name
  }

  /// - Throws: `TableError.format` for a malformed sheet, with the cell; `TableError.limit`.
  mutating func read() throws -> SheetRows {
    try workbook.package.parse(sheet.part) { events, parser in
      for event in events.events {
        switch event.eventKind {
        case .start: start(tags.element(event, parser))
        case .attribute: try attribute(tags.attribute(event, parser), events.text(of: event))
        case .text:
          if isInText {
            hasText = true
            text.append(contentsOf: events.text(of: event))
          }
        case .end: try end()
        }
      }
    }
    return result
  }

  private mutating func start(_ tag: SheetTag) {
    // Drawings and extensions have elements with the same names.
    let isCellPart =
      switch (path.last, tag) {
      case (.cells, .row), (.row, .cell), (.cell, .value), (.cell, .inlineString),
        (.cell, .formula), (_, .cells), (_, .text), (_, .phonetic), (_, .mergedCell):
        true
      default: false
      }
    path.append(isCellPart ? tag : .other)
    guard isCellPart else { return }
    switch tag {
    case .row:
      rowNumber += 1
      row = SheetRow()
      row.reserveCapacity(result.rows.last?.size ?? 0)
      column = -1
    case .cell:
      column += 1
      style = 0
      type.removeAll(keepingCapacity: true)
      text.removeAll(keepingCapacity: true)
      hasText = false
      hasFormula = false
    case .formula: hasFormula = true
    case .mergedCell: result.mergedRanges += 1
    default: break
    }
  }

  private mutating func attribute(_ tag: SheetTag, _ text: UnsafeRawBufferPointer) throws {
    switch (path.last, tag) {
    case (.row, .reference):
      guard let number = Scalar.integer(text), number >= rowNumber, number <= Self.maxRows else {
        throw malformed("a row has the number `\(String(decoding: text, as: UTF8.self))`")
      }
      rowNumber = number
    case (.cell, .reference):
      guard let place = Self.column(of: text), place >= column else {
        throw malformed("a cell has the reference `\(String(decoding: text, as: UTF8.self))`")
      }
      column = place
    case (.cell, .style): style = Scalar.integer(text) ?? 0
    case (.cell, .text): type.append(contentsOf: text)
    default: break
    }
  }

  private var isInText: Bool {
    switch path.last {
    case .value: true
    // Texts of `is` and its runs, without phonetic ones.
    case .text: path.contains(.inlineString) && !path.contains(.phonetic)
    default: false
    }
  }

  private mutating func end() throws {
    switch path.popLast() {
    case .cell: try finishCell()
    case .row: try finishRow()
    default: break
    }
  }

  private mutating func finishCell() throws {
    guard column < Self.maxColumns else { throw malformed("a row has over 16,384 columns") }
    guard hasText else {
      if hasFormula { result.formulas += 1 }
      return
    }
    let value = try value()
    if value.isNull { return }
    row.append(value, at: column)
  }

  private mutating func finishRow() throws {
    guard rowNumber <= Self.maxRows else { throw malformed("the sheet has over 1,048,576 rows") }
    guard row.count > 0 else { return }
    values += row.size
    guard values <= Self.maxValues else {
      throw TableError.limit(
        "the sheet `\(sheet.name)` has over \(Self.maxValues.grouped) cells", setting: "", at: nil)
    }
    result.rows.append(row)
    result.numbers.append(rowNumber)
  }

  // The types of cells, 18.18.11.
  private mutating func value() throws -> Value {
    switch type.first {
    case nil, UInt8(ascii: "n"): number()
    case UInt8(ascii: "s") where type.count == 1: try sharedString()
    case UInt8(ascii: "b"): boolean()
    case UInt8(ascii: "e"): error()
    case UInt8(ascii: "d"): .init(literal: String(decoding: text, as: UTF8.self))
    default: text.isEmpty ? .null : .string(ExcelText.decoded(text))
    }
  }

  private func number() -> Value {
    text.withUnsafeBytes { bytes in
      let format = workbook.styles.format(of: style)
      if format != .number, let serial = Scalar.real(bytes),
        let value = SerialDate.value(
          serial, format, has1904Dates: workbook.styles.has1904Dates)
      {
        return value
      }
      if let integer = Scalar.integer(bytes) { return .integer(integer) }
      return Value(literal: String(decoding: bytes, as: UTF8.self))
    }
  }

  private func sharedString() throws -> Value {
    let index = text.withUnsafeBytes { Scalar.integer($0) }
    guard let index, workbook.strings.indices.contains(index) else {
      throw malformed(
        "the cell refers to string \(String(decoding: text, as: UTF8.self)) of "
          + "\(workbook.strings.count)")
    }
    let string = workbook.strings[index]
    return string.isEmpty ? .null : .string(string)
  }

  private func boolean() -> Value {
    switch text {
    case [UInt8(ascii: "1")], Array("true".utf8): true
    case [UInt8(ascii: "0")], Array("false".utf8): false
    default: .string(String(decoding: text, as: UTF8.self))
    }
  }

  private mutating func error() -> Value {
    result.errors += 1
    if result.firstError == nil {
      result.firstError = (place, String(decoding: text, as: UTF8.self))
    }
    return .null
  }

  /// The place of the open cell: `B7`; before the first cell of a row, `row 7`.
  private var place: String {
    (column < 0 ? "row " : Self.name(ofColumn: column)) + String(rowNumber)
  }

  /// The letters of a column, which is numbered from 0.
  static func name(ofColumn column: Int) -> String {
    var name = ""
    var rest = column
    while rest >= 0 {
      name = String(Unicode.Scalar(UInt8(ascii: "A") + UInt8(rest % 26))) + name
      rest = rest / 26 - 1
    }
    return name
  }

  private func malformed(_ reason: String) -> TableError {
    .format("the sheet `\(sheet.name)` is malformed at \(place): \(reason)", at: nil)
  }

  /// The column of a reference such as `BC12`, from 0; nil for a malformed one.
  private static func column(of reference: UnsafeRawBufferPointer) -> Int? {
    var column = 0
    var letters = 0
    for byte in reference {
      guard let letter = letter(byte) else { break }
      column = column * 26 + letter
      letters += 1
      guard letters <= 3 else { return nil }
    }
    return letters > 0 && column <= maxColumns ? column - 1 : nil
  }

  /// 1 for A to 26 for Z; nil for other bytes.
  private static func letter(_ byte: UInt8) -> Int? {
    let upper = byte & ~0x20
    return upper >= UInt8(ascii: "A") && upper <= UInt8(ascii: "Z")
      ? Int(upper - UInt8(ascii: "A")) + 1 : nil
  }
}
