public import DataTables

/// How an engine writes names, values and expressions, and what it computes with the same meaning as
/// the shell. A part that it would compute with another meaning is refused with a ``Shortcoming``.
public protocol SQLDialect: Sendable {
  /// The parts of a statement in which a question mark is not a placeholder.
  var syntax: StatementSyntax { get }
  /// A quoted name.
  func name(_ name: String) -> String
  /// A value as text, for a statement that is shown.
  func literal(_ value: Value) -> String

  /// A column of a table, in a form whose comparisons do not depend on settings of the table.
  func column(_ column: DatabaseColumn, _ facts: ColumnFacts) -> SQL
  /// A value with which a column is compared, if the engine compares values of different types by
  /// other rules than the shell: a decimal column with a decimal. The default is the value itself.
  func operand(_ value: Value, for column: DatabaseColumn) throws(Shortcoming) -> SQL
  /// A condition on a column that is false, and not null, where the column is null.
  func known(_ condition: SQL, of column: SQL) -> SQL
  /// A derived key, such as `firstCharacter`, of a column.
  func derived(
    _ steps: [ObjectKeyPath.Step], of column: ColumnExpression
  ) throws(Shortcoming) -> ColumnExpression
  /// An expression whose ascending order, without nulls, is the order of the comparison.
  func orderKey(
    _ column: ColumnExpression, _ descriptor: SortDescriptor
  ) throws(Shortcoming) -> ColumnExpression
  /// A number or a text that is equal for all times of one span of a mode by dates.
  func span(
    _ mode: SectionMode, _ settings: SectionSettings, of column: ColumnExpression
  ) throws(Shortcoming) -> ColumnExpression
  /// A condition on strings: an operator such as CONTAINS, or a comparison with `[cd]`. It is true
  /// or false, and not null unless the column is null.
  func condition(
    _ operation: ComparisonOperator, _ column: ColumnExpression, _ pattern: Value
  ) throws(Shortcoming) -> SQL
  /// A predicate that has no other form, evaluated for each row by this program.
  func condition(
    _ predicate: Predicate, over columns: [(path: ObjectKeyPath, column: ColumnExpression)]
  ) throws(Shortcoming) -> SQL
  /// A query whose rows are those of `query` with their numbers, from 0 or 1, in an order, as the
  /// column `name`.
  func numbering(_ columns: [SQL], from query: SQL, orderedBy order: SQL, as name: String) -> SQL
  /// The number of the first row of ``numbering(_:from:orderedBy:as:)``, 0 or 1. The default is 1.
  var firstNumber: Int { get }
  /// The least of the values of a group, for one of the expressions that identify a row.
  func least(_ identity: SQL, of table: TableSchema) -> SQL
  /// A statement with the first row of each group of equal keys: the key, another expression of the
  /// row, and the row's number in the order.
  func firstRows(
    _ key: SQL, _ other: SQL, from query: SQL, orderedBy order: SQL
  ) -> SQL
  /// The meaning of the parts of statements that call this program.
  func notes(about statements: [String]) -> [String]
  /// A whole number that differs, with the greatest probability, for rows with different values, and
  /// the text after FROM that it requires; nil if the engine has none.
  ///
  /// - Parameter table: the quoted name.
  func rowHash(of schema: TableSchema, from table: SQL) -> (expression: SQL, source: SQL)?
  /// A text that is equal for statements with the same meaning in all sessions. The default is the
  /// statement itself.
  func portable(_ statement: String) -> String
  /// Whether `IN` compares an expression with operands of a kind as `=` does.
  func hasLists(of kind: DatabaseColumn.Kind) -> Bool
  /// Whether the values of all terms of an order are ordered by their bytes if they are texts or data.
  var ordersTextsByBytes: Bool { get }
  /// The words before a statement that make the engine return its plan; nil if it cannot.
  var planPrefix: String? { get }
  /// Whether the engine sorts all rows before it returns the first one, by the lines of its plan. The
  /// default is true.
  func sortsAll(plan lines: [String]) -> Bool
  /// `LIMIT 100 OFFSET 20`.
  func limit(_ count: Int?, offset: Int) -> SQL
  /// The order of a term with its direction and the place of its nulls.
  ///
  /// - Parameter hasNulls: whether the place of nulls matters.
  func ordered(_ expression: SQL, descending: Bool, nullsFirst: Bool, hasNulls: Bool) -> SQL
}

extension SQLDialect {
  public var firstNumber: Int { 1 }

  public var planPrefix: String? { nil }

  public func sortsAll(plan lines: [String]) -> Bool { true }

  public func hasLists(of kind: DatabaseColumn.Kind) -> Bool { true }

  public var ordersTextsByBytes: Bool { false }

  public func portable(_ statement: String) -> String { statement }

  public func notes(about statements: [String]) -> [String] { [] }

  public func firstRows(
    _ key: SQL, _ other: SQL, from query: SQL, orderedBy order: SQL
  ) -> SQL {
    """
    SELECT dsshell_key, dsshell_other, dsshell_number FROM \
    (SELECT \(key) AS dsshell_key, \(other) AS dsshell_other, \
    row_number() OVER (ORDER BY \(order)) AS dsshell_number, \
    row_number() OVER (PARTITION BY \(key) ORDER BY \(order)) AS dsshell_place\(query)) \
    AS dsshell_numbered WHERE dsshell_place = 1
    """
  }

  public func rowHash(of schema: TableSchema, from table: SQL) -> (expression: SQL, source: SQL)? {
    nil
  }

  public func least(_ identity: SQL, of table: TableSchema) -> SQL { "min(\(identity))" }

  public func operand(_ value: Value, for column: DatabaseColumn) -> SQL { "\(value: value)" }

  public func known(_ condition: SQL, of column: SQL) -> SQL {
    "(\(condition) AND \(column) IS NOT NULL)"
  }
}

/// The part of a request that an engine does not compute as the shell does, and why.
public struct Shortcoming: Error, Sendable, CustomStringConvertible {
  /// `MATCHES in name MATCHES '.*x' has another meaning in postgres`
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// An expression over the columns of a row, and what is known about its values.
public struct ColumnExpression: Sendable {
  public var sql: SQL
  public var kind: DatabaseColumn.Kind
  public var facts: ColumnFacts
  /// A value with which the expression is compared; see ``SQLDialect/operand(_:for:)``.
  public var operand: @Sendable (Value) throws(Shortcoming) -> SQL = { "\(value: $0)" }
  /// See ``SQLDialect/hasLists(of:)``.
  public var hasLists = true

  public init(_ sql: SQL, kind: DatabaseColumn.Kind, facts: ColumnFacts) {
    self.sql = sql
    self.kind = kind
    self.facts = facts
  }

  /// A value of the expression itself, with which it is compared.
  func operand(own value: Value) -> SQL { (try? operand(value)) ?? "\(value: value)" }
}

/// The known properties of the values of a column, from its declaration or from a scan.
public struct ColumnFacts: Sendable, Equatable, Codable {
  /// Whether some values are null.
  public var hasNulls = true
  /// The types of the values, without null; nil if they are unknown.
  public var types: Set<ValueType>?
  /// Whether all strings are ASCII.
  public var isASCII = false
  /// Whether all strings are in canonical composition. The engine then compares and orders their
  /// bytes as the shell compares and orders strings.
  public var isNormalized = false
  /// The form in which all dates are written, with a zero for each digit, if the engine compares them
  /// as texts; nil if it compares them by time.
  public var dateForm: String?
  /// Whether the engine orders and compares the values as the shell does: numbers, and dates
  /// written in one form.
  public var isOrdered = false
  /// The values that rows may contain in several forms.
  public var variants = Variants.none

  /// Values that are equal and differ nevertheless: 1 and 1.0, 0 and -0, a text that is not in
  /// canonical composition.
  public enum Variants: String, Sendable, Codable {
    case none
    /// Zeros only.
    case zeros
    case all
  }

  public init() {}

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(hasNulls, forKey: .hasNulls)
    // The same facts have the same text.
    try container.encodeIfPresent(types?.sorted(), forKey: .types)
    try container.encode(isASCII, forKey: .isASCII)
    try container.encode(isNormalized, forKey: .isNormalized)
    try container.encodeIfPresent(dateForm, forKey: .dateForm)
    try container.encode(isOrdered, forKey: .isOrdered)
    try container.encode(variants, forKey: .variants)
  }

  /// The form of a date's text: `0000-00-00T00:00:00`.
  public static func form(of date: String) -> String {
    String(decoding: date.utf8.map { $0 &- 0x30 < 10 ? 0x30 : $0 }, as: UTF8.self)
  }

  /// The facts of values that are not strings and that the engine orders as the shell does.
  public static func ordered(_ types: Set<ValueType>, hasNulls: Bool) -> ColumnFacts {
    var facts = ColumnFacts()
    facts.hasNulls = hasNulls
    facts.types = types
    facts.isASCII = true
    facts.isNormalized = true
    facts.isOrdered = true
    return facts
  }
}
