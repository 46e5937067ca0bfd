/// A table of a TOML text while the text is read.
final class TOMLTable {
  /// How the table came about, which determines where keys may be added to it.
  enum Origin {
    /// By a header of a table within it: its own header may follow.
    case implied
    /// By its header.
    case header
    /// By a dotted key.
    case dottedKey
  }

  enum Member {
    case value(Value)
    /// An array in brackets, with the lines of its elements.
    case array([Value], lines: [Int])
    case table(TOMLTable)
    /// An array of tables, each with a header.
    case tables([TOMLTable])
  }

  var origin: Origin
  /// The line of its header or of its first key.
  let line: Int
  /// In the order of the text.
  private var positions = KeyPositions()
  private(set) var members: [Member] = []
  /// The lines of the members.
  private(set) var lines: [Int] = []

  init(_ origin: Origin, line: Int) {
    self.origin = origin
    self.line = line
  }

  var keys: [String] { positions.keys }

  func position(of key: String) -> Int? { positions.position(of: key) }

  func member(_ key: String) -> Member? { position(of: key).map { members[$0] } }

  func line(of key: String) -> Int? { position(of: key).map { lines[$0] } }

  /// - Precondition: the table does not have the key.
  func append(_ key: String, _ member: Member, line: Int) {
    positions.append(key)
    members.append(member)
    lines.append(line)
  }

  /// Adds a table to an array of tables.
  func append(_ table: TOMLTable, toTablesAt position: Int) {
    guard case .tables(var tables) = members[position] else { return }
    // Released first, so that appending does not copy the array.
    members[position] = .tables([])
    tables.append(table)
    members[position] = .tables(tables)
  }
}

extension TOMLTable {
  /// The table as a record. Recurses; the parser limits the depth.
  func record(_ shapes: inout RecordShapes) -> Record {
    var values: [Value] = []
    values.reserveCapacity(members.count)
    for member in members {
      switch member {
      case .value(let value): values.append(value)
      case .array(let elements, _): values.append(.array(elements))
      case .table(let table): values.append(.record(table.record(&shapes)))
      case .tables(let tables):
        var records: [Value] = []
        records.reserveCapacity(tables.count)
        for table in tables { records.append(.record(table.record(&shapes))) }
        values.append(.array(records))
      }
    }
    return shapes.record(keys, values)
  }

  /// Notes the lines of the members and, in turn, of theirs.
  func note(to documentLines: inout DocumentLines, at path: [String]) {
    documentLines.note(lines, at: path)
    for (key, member) in zip(keys, members) {
      switch member {
      case .value: break
      case .array(_, let lines): documentLines.note(lines, at: path + [key])
      case .table(let table): table.note(to: &documentLines, at: path + [key])
      case .tables(let tables): documentLines.note(tables.map(\.line), at: path + [key])
      }
    }
  }
}
