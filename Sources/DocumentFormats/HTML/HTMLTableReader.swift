import CXML
import DataTables

/// Collects the tables of an HTML document from its events, in the order of their start tags.
///
/// The text of a nested table belongs to that table alone.
struct HTMLTableReader {
  private(set) var tables: [HTMLTable] = []
  private let parser: XMLParser

  private var open: [Frame] = []
  /// The tables that are open, from the outermost one.
  private var openTables: [OpenTable] = []

  private struct Frame {
    let role: Role
    /// The number of open tables outside of the element.
    let tables: Int
  }

  private struct OpenTable {
    let table: Int
    var group = 0
    var isInHead = false
    var row: HTMLTable.Row?
    var cell: HTMLTable.Cell?
    var isInCaption = false
    /// The text of the cell or caption.
    var text = CollapsedText()
  }

  private enum Role {
    case table, head, group, row, cell, headerCell, caption
    /// Content that is not shown.
    case hidden
    /// An element that separates words.
    case block
    case other

    init(_ name: String) {
      self =
        switch name.lowercased() {
        case "table": .table
        case "thead": .head
        case "tbody", "tfoot": .group
        case "tr": .row
        case "td": .cell
        case "th": .headerCell
        case "caption": .caption
        case "script", "style", "template", "noscript": .hidden
        case "br", "p", "div", "li", "ul", "ol", "dl", "dt", "dd", "hr", "h1", "h2", "h3", "h4",
          "h5", "h6", "pre", "blockquote", "section", "option":
          .block
        default: .other
        }
    }
  }

  /// The roles by the numbers of names.
  private var roles: [Role] = []
  private var hidden = 0

  init(_ parser: XMLParser) { self.parser = parser }

  mutating func take(_ events: XMLEvents) throws(TableError) {
    for event in events.events {
      switch event.eventKind {
      case .start: start(Int(event.name), line: Int(event.line))
      case .attribute: attribute(Int(event.name), events.text(of: event))
      case .text: take(events.text(of: event))
      case .end: end()
      }
    }
  }

  /// Ends the elements that the document leaves open.
  mutating func finish() { while !open.isEmpty { end() } }

  private mutating func role(of name: Int) -> Role {
    while roles.count <= name { roles.append(Role(parser.name(roles.count))) }
    return roles[name]
  }

  private mutating func start(_ name: Int, line: Int) {
    let role = role(of: name)
    open.append(Frame(role: role, tables: openTables.count))
    if role == .hidden { hidden += 1 }
    if role == .table {
      openTables.append(OpenTable(table: tables.count))
      tables.append(HTMLTable(line: line))
      return
    }
    guard let current = openTables.indices.last else { return }
    switch role {
    case .head, .group:
      endRow(current)
      openTables[current].group += 1
      openTables[current].isInHead = role == .head
    case .row:
      endRow(current)
      startRow(current, line: line)
    case .cell, .headerCell:
      endCell(current)
      if openTables[current].row == nil { startRow(current, line: line) }
      openTables[current].cell = HTMLTable.Cell(isHeader: role == .headerCell)
      openTables[current].text = CollapsedText()
    case .caption:
      openTables[current].isInCaption = true
      openTables[current].text = CollapsedText()
    case .block: openTables[current].text.separate()
    case .table, .hidden, .other: break
    }
  }

  private mutating func attribute(_ name: Int, _ value: UnsafeRawBufferPointer) {
    guard let current = openTables.indices.last, let last = open.last?.role,
      last == .cell || last == .headerCell
    else { return }
    let name = parser.name(name)
    guard name == "colspan" || name == "rowspan" else { return }
    let digits = value.drop { $0 == UInt8(ascii: " ") }
    guard
      let count = Int(String(decoding: digits.prefix { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self))
    else { return }
    // The limits of the HTML standard.
    if name == "colspan" {
      openTables[current].cell?.columns = count == 0 ? 1 : min(count, 1_000)
    } else {
      openTables[current].cell?.rows = min(count, 65_534)
    }
  }

  private mutating func take(_ text: UnsafeRawBufferPointer) {
    guard hidden == 0, let current = openTables.indices.last,
      openTables[current].cell != nil || openTables[current].isInCaption
    else { return }
    openTables[current].text.append(text)
  }

  private mutating func end() {
    guard let frame = open.popLast() else { return }
    if frame.role == .hidden { hidden -= 1 }
    if frame.role == .table {
      while openTables.count > frame.tables { endTable() }
      openTables.indices.last.map { openTables[$0].text.separate() }
      return
    }
    // The table of the element may have ended already.
    guard let current = openTables.indices.last, openTables.count == frame.tables else { return }
    switch frame.role {
    case .head, .group:
      endRow(current)
      openTables[current].isInHead = false
      openTables[current].group += 1
    case .row: endRow(current)
    case .cell, .headerCell: endCell(current)
    case .caption:
      tables[openTables[current].table].caption = openTables[current].text.string
      openTables[current].isInCaption = false
    case .block: openTables[current].text.separate()
    case .table, .hidden, .other: break
    }
  }

  private mutating func startRow(_ current: Int, line: Int) {
    openTables[current].row = HTMLTable.Row(
      line: line, isInHead: openTables[current].isInHead, group: openTables[current].group)
  }

  private mutating func endCell(_ current: Int) {
    guard var cell = openTables[current].cell else { return }
    cell.text = openTables[current].text.string
    openTables[current].row?.cells.append(cell)
    openTables[current].cell = nil
  }

  private mutating func endRow(_ current: Int) {
    endCell(current)
    guard let row = openTables[current].row else { return }
    tables[openTables[current].table].rows.append(row)
    openTables[current].row = nil
  }

  private mutating func endTable() {
    endRow(openTables.count - 1)
    openTables.removeLast()
  }
}

/// A text whose blanks at both ends are removed and whose other runs of blanks are one blank.
struct CollapsedText {
  private var bytes: [UInt8] = []
  private var isSeparated = false

  var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Starts a new word.
  mutating func separate() { isSeparated = true }

  mutating func append(_ text: UnsafeRawBufferPointer) {
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte.isWhiteSpace {
        isSeparated = true
        index += 1
      } else if byte == 0xC2, index + 1 < text.count, text[index + 1] == 0xA0 {
        // A no-break space, which empty cells often contain.
        isSeparated = true
        index += 2
      } else {
        if isSeparated, !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
        isSeparated = false
        bytes.append(byte)
        index += 1
      }
    }
  }
}
