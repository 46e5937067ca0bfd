import DataSources
import DataTables
import Databases

extension ClickHouseConnection {
  /// The error of work that failed, after its cleanup, which the cancellation of the work does not end.
  ///
  /// - Parameters:
  ///   - tables: those that the cleanup drops.
  ///   - cleanUp: may run twice. On its connection, the server has 10 s to respond to a statement: it
  ///     may not respond any more.
  /// - Returns: the error; if the cleanup fails too, with its reason and ``DatabaseError/leftovers``.
  func failure(
    _ error: any Error, dropping tables: [TableName],
    cleanUp: @Sendable (ClickHouseConnection) async throws -> Void
  ) async -> any Error {
    let connection = ClickHouseConnection(
      address, server: server.with(transferLimit: .seconds(10)), isWritable: isWritable)
    let reason = await repeatedFailure { try await cleanUp(connection) }
    guard let reason else { return error }
    var result = DatabaseError(error, otherwise: reason.kind)
    if result.message != reason.message {
      result.message += "; the cleanup failed: \(reason.message)"
    }
    result.leftovers = tables.map { text(of: $0) }
    return result
  }

  func failure(_ error: any Error, dropping table: TableName) async -> any Error {
    await failure(error, dropping: [table]) { try await $0.drop(table, Cancellation()) }
  }

  /// Drops a table at the end of work that succeeded.
  ///
  /// - Parameter success: what the work has done, for the error.
  /// - Throws: ``DatabaseError`` with ``DatabaseError/leftovers``, also after a cancellation.
  func drop(
    _ table: TableName, after success: String, cancellation: Cancellation
  ) async throws(DatabaseError) {
    let reason = await repeatedFailure { try await drop(table, cancellation) }
    guard var reason else { return }
    reason.message = "\(success): \(reason.message)"
    reason.leftovers = [text(of: table)]
    throw reason
  }

  private func drop(_ table: TableName, _ cancellation: Cancellation) async throws {
    try await server.write(
      "DROP TABLE IF EXISTS \(text(of: table))", cancellation: cancellation)
  }

  /// The failure of work; of its second try, if the connection broke in the first.
  private func repeatedFailure(_ work: () async throws -> Void) async -> DatabaseError? {
    func failure() async -> DatabaseError? {
      do {
        try await work()
        return nil
      } catch {
        return DatabaseError(error, otherwise: .connection)
      }
    }
    let first = await failure()
    // Connections that the program keeps open break with the server, which may have started again.
    return first?.kind == .connection ? await failure() : first
  }
}

extension DatabaseError {
  /// - Parameter kind: the kind of an error that is neither one of a database nor a cancellation.
  fileprivate init(_ error: any Error, otherwise kind: Kind) {
    switch SourceError(error) {
    case .database(let error): self = error
    case let error where error.isCancelled: self.init(.cancelled, error.message)
    case let error: self.init(kind, error.message)
    }
  }
}
