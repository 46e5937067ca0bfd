import DataTables
import DisplayText

/// The lines of a table in the output of a command.
struct PrintedTable: Sendable, Equatable {
  /// How a style divides its lines into cells.
  enum Form: Sendable {
    /// Two blanks between the cells, which stand below the words of the header.
    case blanks
    /// A character before, between and after the cells: `│` or, in Markdown, `|`.
    case bars(Character)
    /// A character between the fields of RFC 4180.
    case fields(Character)
    /// A JSON object on each line, without a header.
    case objects
  }
  var lines: Range<Int>
  var form = Form.blanks
  /// Whether each row begins with the index path of its object.
  var hasIndexPaths: Bool

  /// The header among the lines of the output, and its columns; nil without one.
  func header(in output: [String]) -> (line: Int, columns: TableColumns)? {
    // A rule is above the header of a box.
    let number = lines.lowerBound + (form == .bars("│") ? 1 : 0)
    guard lines.contains(number), output.indices.contains(number) else { return nil }
    return TableColumns(header: output[number], of: self).map { (number, $0) }
  }
}

extension PrintedTable.Form: Equatable {
  /// The line without what depends on the widths of columns, for a line that is not a row: a rule of a
  /// box becomes short, and a text that spans all columns loses its padding.
  func withoutWidths(_ line: String) -> String {
    guard case .bars("│") = self, let last = line.last else { return line }
    if line.allSatisfy({ "─┌┬┐├┼┤└┴┘".contains($0) }) {
      var rule = ""
      for character in line where !(character == "─" && rule.last == "─") { rule.append(character) }
      return rule
    }
    guard line.first == "│", last == "│", line.count > 1 else { return line }
    var text = line.dropLast()
    while text.last == " " { text = text.dropLast() }
    return text + " │"
  }

  /// A row as it would be written without padding.
  func line(of cells: [String]) -> String {
    switch self {
    case .blanks, .objects: cells.joined(separator: TableColumns.gap)
    case .bars(let bar): "\(bar) " + cells.joined(separator: " \(bar) ") + " \(bar)"
    case .fields(let delimiter): cells.joined(separator: String(delimiter))
    }
  }
}

/// Finds the lines of a table that are records of their own: a quoted field of CSV may have several
/// lines, which are not divided.
struct RecordLines {
  private let hasQuotes: Bool
  private var isInside = false

  init(_ form: PrintedTable.Form) {
    if case .fields = form { hasQuotes = true } else { hasQuotes = false }
  }

  /// Whether the next line is a whole record.
  mutating func isWhole(_ line: String) -> Bool {
    guard hasQuotes else { return true }
    let wasInside = isInside
    if line.utf8.count(where: { $0 == UInt8(ascii: "\"") }) % 2 == 1 { isInside.toggle() }
    return !wasInside && !isInside
  }
}

/// A row of a printed table.
struct TableRow: Equatable {
  /// `[0, 1]`, which may also be in the first two cells; nil for a table without index paths.
  let path: String?
  /// One for each column; empty where the row has no value.
  let cells: [String]
}

/// The columns of a printed table.
struct TableColumns {
  let names: [String]
  let form: PrintedTable.Form
  /// Whether a row begins with its index path, which is not one of the cells.
  let hasIndexPaths: Bool
  /// The places of the names in cells of the terminal, for ``PrintedTable/Form/blanks``.
  private var places: [Range<Int>] = []

  /// - Returns: nil for a line that names no columns.
  init?(header: String, of table: PrintedTable) {
    form = table.form
    hasIndexPaths = table.hasIndexPaths
    switch table.form {
    case .blanks:
      let words = Self.words(of: header)
      names = words.map(\.text)
      places = words.map(\.place)
    case .bars(let bar):
      let cells = Self.cells(of: header, between: bar) ?? []
      // The name of a column of numbers is padded as they are.
      let written = cells.map {
        bar == "|" ? Self.withoutEscapes($0) : String($0.drop { $0 == " " })
      }
      // The column of index paths has no name.
      names = table.hasIndexPaths ? Array(written.dropFirst()) : written
    case .fields(let delimiter):
      names = (Self.fields(of: header, delimiter) ?? []).map(Self.withoutQuotes)
    case .objects: return nil
    }
    if names.isEmpty { return nil }
  }

  /// The keys of an object in JSON; those of the object of a source follow its place.
  /// - Returns: nil if the line is not an object in JSON.
  static func ofObject(_ line: String) -> (columns: TableColumns, row: TableRow)? {
    guard line.utf8.first == UInt8(ascii: "{"), case .record(let record)? = try? Value(json: line)
    else { return nil }
    var names: [String] = []
    var cells: [String] = []
    for (key, value) in zip(record.keys, record.values) {
      if key == "object", case .record(let object) = value {
        names += object.keys
        cells += object.values.map(\.json)
      } else {
        names.append(key)
        cells.append(value.json)
      }
    }
    let columns = TableColumns(names: names, form: .objects, hasIndexPaths: false)
    return (columns, columns.row(of: cells))
  }

  private init(names: [String], form: PrintedTable.Form, hasIndexPaths: Bool) {
    self.names = names
    self.form = form
    self.hasIndexPaths = hasIndexPaths
  }

  /// The cells of a line.
  ///
  /// - Parameter hasPlaces: whether the columns of the line are below those of the header; a line with
  ///   holes is divided by its blanks only.
  /// - Returns: nil for the title of a section, and if the line cannot be divided.
  func row(_ line: String, hasPlaces: Bool = true) -> TableRow? {
    switch form {
    case .blanks: return rowByBlanks(line, hasPlaces)
    case .bars(let bar):
      guard let cells = Self.cells(of: line, between: bar) else { return nil }
      if hasIndexPaths {
        guard cells.count == names.count + 1 else { return nil }
        return TableRow(path: cells[0], cells: Array(cells.dropFirst()))
      }
      return cells.count == names.count ? row(of: cells) : nil
    case .fields(let delimiter):
      let fields = Self.fields(of: line, delimiter)
      return fields.flatMap { $0.count == names.count ? row(of: $0) : nil }
    case .objects: return nil
    }
  }

  /// A row whose index path is in two columns.
  private func row(of cells: [String]) -> TableRow {
    let hasPath = names.prefix(2) == ["section", "row"]
    return TableRow(path: hasPath ? "[\(cells[0]), \(cells[1])]" : nil, cells: cells)
  }

  private func rowByBlanks(_ line: String, _ hasPlaces: Bool) -> TableRow? {
    var words = Self.words(of: line)[...]
    var path: String?
    if hasIndexPaths {
      guard line.utf8.first == UInt8(ascii: " "), let first = words.popFirst(),
        first.text.hasPrefix("["), first.text.hasSuffix("]")
      else { return nil }
      path = first.text
    }
    if words.count == names.count { return TableRow(path: path, cells: words.map(\.text)) }
    guard hasPlaces else { return nil }
    var cells = [String](repeating: "", count: names.count)
    for word in words {
      let column =
        places.firstIndex { $0.overlaps(word.place) }
        ?? places.lastIndex { $0.lowerBound <= word.place.lowerBound } ?? 0
      cells[column] += (cells[column].isEmpty ? "" : Self.gap) + word.text
    }
    return TableRow(path: path, cells: cells)
  }

  static let gap = "  "

  private struct Word {
    let text: String
    let place: Range<Int>
  }

  /// The parts of a line that two or more blanks separate.
  private static func words(of line: String) -> [Word] {
    var words: [Word] = []
    var (text, start, column, blanks) = ("", 0, 0, 0)
    for character in line {
      let width = character.isASCII ? 1 : String(character).displayWidth
      if character == " " {
        blanks += 1
      } else {
        if blanks > 1 || text.isEmpty {
          if !text.isEmpty { words.append(Word(text: text, place: start..<column - blanks)) }
          (text, start) = ("", column)
        } else if blanks == 1 {
          text += " "
        }
        text.append(character)
        blanks = 0
      }
      column += width
    }
    if !text.isEmpty {
      words.append(Word(text: text, place: start..<max(start + 1, column - blanks)))
    }
    return words
  }

  /// The cells of `│ a │ b │`, without the blanks around them. In Markdown, a bar after a backslash
  /// belongs to its cell.
  /// - Returns: nil for another line, such as a rule.
  private static func cells(of line: String, between bar: Character) -> [String]? {
    guard line.count > 1, line.first == bar, line.last == bar else { return nil }
    let isMarkdown = bar == "|"
    var cells: [String] = []
    var (cell, isEscaped) = ("", false)
    for character in line.dropFirst() {
      if character == bar, !isEscaped {
        cells.append(isMarkdown ? withoutOneBlank(cell) : withoutPadding(cell))
        cell = ""
      } else {
        cell.append(character)
      }
      isEscaped = isMarkdown && character == "\\" && !isEscaped
    }
    // The rule below a header of Markdown.
    return cells.allSatisfy { ["---", "--:"].contains($0) } ? nil : cells
  }

  /// A cell of Markdown, which has one blank on each side.
  private static func withoutOneBlank(_ cell: String) -> String {
    let start = cell.first == " " ? cell.dropFirst() : cell[...]
    return String(start.last == " " ? start.dropLast() : start)
  }

  /// A cell of a box. Only numbers are padded on the left.
  private static func withoutPadding(_ cell: String) -> String {
    var start = cell.first == " " ? cell.dropFirst() : cell[...]
    while start.last == " " { start = start.dropLast() }
    let text = start.drop { $0 == " " }
    let isNumber = text.first.map { "0123456789-+.".contains($0) } ?? true
    return String(isNumber ? text : start)
  }

  /// A name without the backslashes of Markdown.
  private static func withoutEscapes(_ name: String) -> String {
    var text = ""
    var isEscaped = false
    for character in name {
      isEscaped = character == "\\" && !isEscaped
      if !isEscaped { text.append(character) }
    }
    return text
  }

  /// A name without the quotes of CSV.
  private static func withoutQuotes(_ name: String) -> String {
    guard name.count > 1, name.first == "\"", name.last == "\"" else { return name }
    return String(name.dropFirst().dropLast().replacing("\"\"", with: "\""))
  }

  /// The fields of a line of CSV, as they are written.
  /// - Returns: nil for a line that begins or ends within a quoted field.
  private static func fields(of line: String, _ delimiter: Character) -> [String]? {
    var fields: [String] = []
    var (field, isQuoted) = ("", false)
    for character in line {
      if character == delimiter, !isQuoted {
        fields.append(field)
        field = ""
        continue
      }
      if character == "\"" { isQuoted.toggle() }
      field.append(character)
    }
    return isQuoted ? nil : fields + [field]
  }
}
