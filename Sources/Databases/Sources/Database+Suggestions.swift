import DataSources
import DataTables

extension Database {
  /// The maximum number of tables whose columns are listed for an error.
  private static let maxTables = 20

  /// An error of a statement; if a name in it does not exist, with the names that do.
  ///
  /// The columns are those of the tables whose names are words of the statement.
  func suggestingNames(for error: any Error, cancellation: Cancellation) async -> SourceError {
    let complete = SourceError(error)
    guard case .database(var fault) = complete, fault.known.isEmpty,
      let tables = try? await tables(for: fault, cancellation)
    else { return complete }
    switch fault.kind {
    case .unknownTable: fault.known = tables.map(\.description)
    case .unknownDatabase:
      // That of a table: its database, or its name with the database.
      fault.known = Set(tables.compactMap(\.schema)).sorted() + tables.map(\.description)
    case .unknownColumn:
      let words = Set((fault.statement ?? "").lowercased().split { !$0.isNameCharacter })
      let read = tables.filter { words.contains($0.name.lowercased()[...]) }
      for table in read.prefix(Self.maxTables) {
        let schema = try? await connection.schema(of: table, cancellation: cancellation)
        fault.known += schema?.columns.map(\.name) ?? []
      }
    default: break
    }
    return .database(fault)
  }

  private func tables(
    for fault: DatabaseError, _ cancellation: Cancellation
  ) async throws -> [TableName]? {
    switch fault.kind {
    case .unknownDatabase, .unknownTable, .unknownColumn:
      try await connection.tableNames(cancellation: cancellation)
    default: nil
    }
  }
}

extension Character {
  fileprivate var isNameCharacter: Bool { isLetter || isNumber || self == "_" }
}
