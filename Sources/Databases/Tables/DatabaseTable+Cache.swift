import DataSources
import DataTables

// Fetched results that were computed before, for the same state of the table.
extension DatabaseTable {
  /// Opens a cache for this state of the table; the cache stays closed if the engine cannot identify
  /// states, and for views, which may depend on the time or on other databases.
  func open(_ cache: FetchCache) {
    guard !schema.isView, snapshot.identifiesStates, let token = snapshot.token else { return }
    let columns = schema.columns.map { "\($0.name) \($0.declaredType)" }.joined(separator: ", ")
    cache.open("\(database.connection.address) \(schema.name) (\(columns)) \(token)")
  }
}
