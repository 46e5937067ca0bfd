import DataSources
public import DataTables

/// The expressions whose values decide what is true of a column, so that one statement can scan
/// several columns.
public struct FactsExpressions: Sendable {
  private let expressions: [SQL]
  /// Whether the expressions are aggregates of all rows, rather than queries of their own.
  private let areAggregates: Bool
  private let facts: @Sendable ([Value]) -> ColumnFacts

  /// - Parameter facts: receives the values of the expressions.
  public init(
    _ expressions: [SQL], areAggregates: Bool,
    facts: @escaping @Sendable (_ values: [Value]) -> ColumnFacts
  ) {
    self.expressions = expressions
    self.areAggregates = areAggregates
    self.facts = facts
  }

  /// Without expressions.
  public init(_ facts: ColumnFacts) {
    self.init([], areAggregates: false) { _ in facts }
  }

  /// The facts of several columns.
  ///
  /// - Parameter rows: the table as it follows FROM.
  /// - Complexity: one statement, which reads all rows once if a column has aggregates; none without
  ///   expressions.
  public static func facts(
    of columns: [FactsExpressions], from rows: SQL, on snapshot: any DatabaseSnapshot,
    cancellation: Cancellation
  ) async throws -> [ColumnFacts] {
    let expressions = columns.flatMap(\.expressions)
    var values: [Value] = []
    if !expressions.isEmpty {
      var statement: SQL = "SELECT \(expressions.joined(separator: ", "))"
      if columns.contains(where: \.areAggregates) { statement = "\(statement) FROM \(rows)" }
      let found = try await snapshot.rows(statement, cancellation: cancellation)
      guard let row = found.rows.first, row.count == expressions.count else {
        throw DatabaseError(.engine, "the engine returned other columns than were asked for")
      }
      values = row
    }
    var start = 0
    return columns.map { column in
      let end = start + column.expressions.count
      defer { start = end }
      return column.facts(Array(values[start..<end]))
    }
  }
}
