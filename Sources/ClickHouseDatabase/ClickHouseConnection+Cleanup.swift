import DataSources
import DataTables
import Databases

extension ClickHouseConnection {
  /// Removes tables after work that made them. The cancellation of the work does not end the cleanup.
  ///
  /// - Parameter cleanUp: may run twice. On its connection, each statement may take 10 s, because the
  ///   server may not respond any more.
  /// - Returns: nil; if the cleanup fails, the reason, with the tables as ``DatabaseError/leftovers``.
  func leftovers(
    _ tables: [TableName], cleanUp: @Sendable (ClickHouseConnection) async throws -> Void
  ) async -> DatabaseError? {
    let connection = ClickHouseConnection(
      address, server: server.with(timeout: .seconds(10)), isWritable: isWritable)
    var result = await failure { try await cleanUp(connection) }
    // The connection may be one that broke with the server, and the server be back.
    if result?.kind == .connection { result = await failure { try await cleanUp(connection) } }
    result?.leftovers = tables.map { text(of: $0) }
    return result
  }

  private func failure(_ work: () async throws -> Void) async -> DatabaseError? {
    do {
      try await work()
      return nil
    } catch {
      return (error as? DatabaseError)
        ?? DatabaseError(.connection, SourceError(error).message)
    }
  }

  /// Drops a table that may exist.
  /// - Returns: see ``leftovers(_:cleanUp:)``.
  func drop(_ table: TableName) async -> DatabaseError? {
    await leftovers([table]) { connection in
      try await connection.server.write(
        "DROP TABLE IF EXISTS \(connection.text(of: table))", cancellation: Cancellation())
    }
  }
}

extension DatabaseError {
  /// The error of work, with the tables that its cleanup left for this reason.
  func added(to error: any Error) -> DatabaseError {
    var error = (error as? DatabaseError) ?? DatabaseError(kind, SourceError(error).message)
    if error.message != message { error.message += "; the cleanup failed: \(message)" }
    error.leftovers = leftovers
    return error
  }
}
