import DataTables

/// The rows that a statement reads, and their order.
struct RowSelection: Sendable {
  /// The text after FROM: a table or a query in parentheses.
  let source: SQL
  /// The expressions that identify a row: the table's own, or all columns that can be ordered if the
  /// table has none. Rows that are equal in all columns are interchangeable.
  let identity: [ColumnExpression]
  /// Whether no two rows have the same identity.
  let isUnique: Bool
  /// Conditions that all rows satisfy.
  var conditions: [SQL] = []
  /// The order of the rows; its last terms are the identity, so that no two rows are tied.
  var order: [OrderTerm]
  /// The number of rows left out at the start of the order.
  var offset = 0
  /// The maximum number of rows after ``offset``; nil for all.
  var limit: Int?

  /// All rows of a table, in the order of their identity.
  init(_ table: DatabaseTable) {
    let own = table.schema.rowIdentity.map {
      ColumnExpression($0, kind: .any, facts: .ordered([.number], hasNulls: false))
    }
    self.init(
      from: table.name, identity: own.isEmpty ? table.orderedColumns : own,
      isUnique: !own.isEmpty)
  }

  private init(from source: SQL, identity: [ColumnExpression], isUnique: Bool) {
    self.source = source
    self.identity = identity
    self.isUnique = isUnique
    order = identity.map { OrderTerm($0) }
  }

  var isWindow: Bool { offset > 0 || limit != nil }

  /// The same rows without the window.
  var unlimited: RowSelection {
    var all = self
    all.offset = 0
    all.limit = nil
    return all
  }

  /// The order without the identity; empty for the order of the table.
  var requestedOrder: ArraySlice<OrderTerm> { order.dropLast(identity.count) }

  /// The condition that selects the rows with an identity.
  func condition(forIdentity values: some Collection<Value>) -> [SQL] {
    zip(identity, values).map { OrderTerm($0).equal($1) }
  }

  /// `FROM … WHERE …`, without the window.
  func rows(where extra: [SQL] = []) -> SQL {
    let all = conditions + extra
    return all.isEmpty
      ? " FROM \(source)" : " FROM \(source) WHERE \(all.joined(separator: " AND "))"
  }

  /// The same rows, sorted stably by further terms.
  func sorted(by terms: [OrderTerm]) -> RowSelection {
    var sorted = self
    sorted.order = terms + order
    return sorted
  }

  /// The rows of the window as rows of a query of their own, so that conditions and sections can
  /// apply to them.
  func nested(_ table: DatabaseTable) -> RowSelection {
    guard isWindow else { return self }
    let dialect = table.dialect
    let names = identity.indices.map { SQL(dialect.name("dsshell_row_\($0)")) }
    let columns =
      table.schema.columns.map { SQL(dialect.name($0.name)) }
      + zip(identity, names).map { "\($0.sql) AS \($1)" }
    let query: SQL = """
      (SELECT \(columns.joined(separator: ", "))\(rows()) ORDER BY \(order.clause(dialect)) \
      \(dialect.limit(limit, offset: offset))) AS dsshell_rows
      """
    var nested = RowSelection(
      from: query,
      identity: zip(identity, names).map {
        var column = $0
        column.sql = $1
        return column
      }, isUnique: isUnique)
    nested.order = requestedOrder + nested.order
    return nested
  }
}
