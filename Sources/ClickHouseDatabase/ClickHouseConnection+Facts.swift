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
    try await FactsExpressions.facts(
      of: columns.map { scan(of: $0) }, from: SQL(text(of: table.name)), on: snapshot,
      cancellation: cancellation)
  }

  /// Strings and floating-point numbers are scanned; other types are known.
  private func scan(of column: DatabaseColumn) -> FactsExpressions {
    switch column.kind {
    case .integer, .decimal:
      return FactsExpressions(.ordered([.number], hasNulls: column.isNullable))
    case .bool: return FactsExpressions(.ordered([.bool], hasNulls: column.isNullable))
    case .date, .instant: return FactsExpressions(.ordered([.date], hasNulls: column.isNullable))
    case .real: return Self.realScan(of: column)
    case .text: return Self.textScan(of: column)
    default:
      guard Self.isShownAsText(column) else { return FactsExpressions(ColumnFacts()) }
      let names: [String: Int] =
        if case .enumeration(_, let names) = StoredType(column.declaredType).unwrapped {
          names
        } else { [:] }
      var facts = ColumnFacts.ordered([.string], hasNulls: column.isNullable)
      facts.isASCII = names.keys.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
      facts.isNormalized = names.keys.allSatisfy { Self.isComposed($0) }
      return FactsExpressions(facts)
    }
  }

  private static func isComposed(_ text: String) -> Bool {
    guard case .string(let composed) = Value.string(text).composed else { return false }
    return Array(composed.utf8) == Array(text.utf8)
  }

  /// NaN sorts beside the nulls, and -0 is a group of its own.
  private static func realScan(of column: DatabaseColumn) -> FactsExpressions {
    let name = SQL(Literal.name(column.name))
    let isUnusual: SQL = "isNaN(\(name)) OR \(name) = 0 AND 1 / \(name) < 0"
    return FactsExpressions(["countIf(\(isUnusual))"], areAggregates: true) { values in
      var facts = ColumnFacts.ordered([.number], hasNulls: column.isNullable)
      facts.isOrdered = values[0] == .integer(0)
      if !facts.isOrdered { facts.variants = .zeros }
      return facts
    }
  }

  /// Characters that are in canonical composition wherever they are: Latin, Cyrillic and Greek
  /// letters, punctuation, kana, Han and Hangul syllables.
  private static let composedCharacters =
    "\\x00-\\x{02FF}\\x{0391}-\\x{03A1}\\x{03A3}-\\x{03FF}\\x{0400}-\\x{0482}\\x{048A}-\\x{052F}"
    + "\\x{1E00}-\\x{1E99}\\x{1EA0}-\\x{1EF9}\\x{2010}-\\x{2027}\\x{2030}-\\x{205E}\\x{20AC}"
    + "\\x{3041}-\\x{3096}\\x{30A1}-\\x{30FA}\\x{4E00}-\\x{9FFF}\\x{AC00}-\\x{D7A3}"
    + "\\x{1F300}-\\x{1F64F}"
  /// The maximum number of strings that are looked at here.
  private static let maxStrings = 10_000

  private static func textScan(of column: DatabaseColumn) -> FactsExpressions {
    let name = SQL(Literal.name(column.name))
    // A string that is not UTF-8 matches neither.
    let ascii: SQL = "match(\(name), \(value: "^[\\x00-\\x7F]*$"))"
    let composed: SQL = "match(\(name), \(value: .string("^[\(composedCharacters)]*$")))"
    let unusual: SQL = """
      groupArrayIf(\(SQL(String(maxStrings))))(assumeNotNull(\(name)), \
      isNotNull(\(name)) AND NOT assumeNotNull(\(composed)))
      """
    return FactsExpressions(
      ["countIf(isNull(\(name)))", "countIf(NOT \(ascii))", unusual], areAggregates: true
    ) { values in
      guard case .array(let unusual) = values[2] else { return ColumnFacts() }
      var facts = ColumnFacts()
      facts.hasNulls = values[0] != .integer(0)
      facts.isASCII = values[1] == .integer(0)
      // Data among strings has an order of its own.
      let isText = unusual.allSatisfy { $0.string != nil } && unusual.count < maxStrings
      guard isText else { return facts }
      facts.types = [.string]
      facts.isOrdered = true
      facts.isNormalized = unusual.allSatisfy { $0.string.map { isComposed($0) } ?? false }
      if !facts.isNormalized { facts.variants = .all }
      return facts
    }
  }
}
