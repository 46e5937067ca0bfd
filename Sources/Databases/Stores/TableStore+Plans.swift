package import DataSources
package import DataTables

extension TableStore {
  /// The engine's plan of each statement that was sent so far, line by line.
  /// - Throws: ``SourceError``: `badArgument` for an engine that has no plans.
  package func plans(
    cancellation: Cancellation
  ) async throws(SourceError) -> [(statement: String, plan: [String])] {
    guard let prefix = table.dialect.planPrefix else {
      throw .data(
        .badArgument("\(table.database.driver.title) does not return plans of statements"))
    }
    var plans: [(statement: String, plan: [String])] = []
    do {
      for statement in computation?.statements ?? [] {
        let rows = try await table.snapshot.rows(
          SQL(prefix + statement), cancellation: cancellation
        ).rows
        // The plan is in the last column: SQLite has numbers before it.
        plans.append((statement, rows.compactMap { $0.last?.string }))
      }
    } catch {
      throw SourceError(error)
    }
    return plans
  }
}
