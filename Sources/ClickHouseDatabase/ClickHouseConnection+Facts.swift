import DataTables
import Databases

extension ClickHouseConnection {
  var dialect: any SQLDialect { ClickHouseDialect(hasWideDates: server.facts.hasWideDates) }

  /// Whether the values of a type are shown as text, and the server orders them in another way.
  static func isShownAsText(_ column: DatabaseColumn) -> Bool {
    switch StoredType(column.declaredType).unwrapped {
    case .enumeration, .uuid: true
    default: false
    }
  }

  func facts(
    of columns: [DatabaseColumn], in table: TableSchema, on snapshot: any DatabaseSnapshot,
    cancellation: Cancellation
  ) async throws -> [ColumnFacts] {
    var found: [ColumnFacts] = []
    for column in columns {
      found.append(
        try await facts(of: column, in: table, on: snapshot, cancellation: cancellation))
    }
    return found
  }

  /// Strings and floating-point numbers are scanned once; other types are known.
  private func facts(
    of column: DatabaseColumn, in table: TableSchema, on snapshot: any DatabaseSnapshot,
    cancellation: Cancellation
  ) async throws -> ColumnFacts {
    switch column.kind {
    case .integer, .decimal: return .ordered([.number], hasNulls: column.isNullable)
    case .bool: return .ordered([.bool], hasNulls: column.isNullable)
    case .date, .instant: return .ordered([.date], hasNulls: column.isNullable)
    case .real: return try await realFacts(of: column, in: table, snapshot, cancellation)
    case .text: return try await textFacts(of: column, in: table, snapshot, cancellation)
    default:
      guard Self.isShownAsText(column) else { return ColumnFacts() }
      let names: [String: Int] =
        if case .enumeration(_, let names) = StoredType(column.declaredType).unwrapped {
          names
        } else { [:] }
      var facts = ColumnFacts.ordered([.string], hasNulls: column.isNullable)
      facts.isASCII = names.keys.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
      facts.isNormalized = names.keys.allSatisfy { Self.isComposed($0) }
      return facts
    }
  }

  private static func isComposed(_ text: String) -> Bool {
    guard case .string(let composed) = Value.string(text).composed else { return false }
    return Array(composed.utf8) == Array(text.utf8)
  }

  /// NaN sorts beside the nulls, and -0 is a group of its own.
  private func realFacts(
    of column: DatabaseColumn, in table: TableSchema, _ snapshot: any DatabaseSnapshot,
    _ cancellation: Cancellation
  ) async throws -> ColumnFacts {
    let name = SQL(Literal.name(column.name))
    let scanned = try await snapshot.rows(
      "SELECT countIf(isNaN(\(name)) OR \(name) = 0 AND 1 / \(name) < 0) FROM \(SQL(text(of: table.name)))",
      cancellation: cancellation)
    var facts = ColumnFacts.ordered([.number], hasNulls: column.isNullable)
    facts.isOrdered = scanned.rows.first?.first.map { $0 == .integer(0) } ?? false
    if !facts.isOrdered { facts.variants = .zeros }
    return facts
  }

  /// Characters that are in canonical composition wherever they are: Latin, Cyrillic and Greek
  /// letters, punctuation, kana, Han and Hangul syllables.
  private static let composedCharacters =
    "\\x00-\\x{02FF}\\x{0391}-\\x{03A1}\\x{03A3}-\\x{03FF}\\x{0400}-\\x{0482}\\x{048A}-\\x{052F}"
    + "\\x{1E00}-\\x{1E99}\\x{1EA0}-\\x{1EF9}\\x{2010}-\\x{2027}\\x{2030}-\\x{205E}\\x{20AC}"
    + "\\x{3041}-\\x{3096}\\x{30A1}-\\x{30FA}\\x{4E00}-\\x{9FFF}\\x{AC00}-\\x{D7A3}"
    + "\\x{1F300}-\\x{1F64F}"
  /// The maximum number of strings that are looked at here.
  private static let maximumStrings = 10_000

  private func textFacts(
    of column: DatabaseColumn, in table: TableSchema, _ snapshot: any DatabaseSnapshot,
    _ cancellation: Cancellation
  ) async throws -> ColumnFacts {
    let name = SQL(Literal.name(column.name))
    // A string that is not UTF-8 matches neither.
    let ascii: SQL = "match(\(name), \(value: "^[\\x00-\\x7F]*$"))"
    let composed: SQL = "match(\(name), \(value: .string("^[\(Self.composedCharacters)]*$")))"
    let scanned = try await snapshot.rows(
      """
      SELECT countIf(isNull(\(name))), countIf(NOT \(ascii)), \
      groupArrayIf(\(SQL(String(Self.maximumStrings))))(assumeNotNull(\(name)), \
      isNotNull(\(name)) AND NOT assumeNotNull(\(composed))) FROM \(SQL(text(of: table.name)))
      """, cancellation: cancellation)
    guard let row = scanned.rows.first, row.count == 3, case .array(let unusual) = row[2] else {
      return ColumnFacts()
    }
    var facts = ColumnFacts()
    facts.hasNulls = row[0] != .integer(0)
    facts.isASCII = row[1] == .integer(0)
    // Data among strings has an order of its own.
    let isText = unusual.allSatisfy { $0.string != nil } && unusual.count < Self.maximumStrings
    guard isText else { return facts }
    facts.types = [.string]
    facts.isOrdered = true
    facts.isNormalized = unusual.allSatisfy { $0.string.map { Self.isComposed($0) } ?? false }
    if !facts.isNormalized { facts.variants = .all }
    return facts
  }
}
