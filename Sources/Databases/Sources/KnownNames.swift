import DataTables
import Synchronization

/// The names of the tables of a database and of their columns, for completion.
///
/// They are read from the catalog when they are first asked for and again after some time. A call
/// waits for a short time only, and sends no statement to a database that is closed or busy: it then
/// returns what is known.
public final class KnownNames: Sendable {
  private struct State {
    var tables: [TableName] = []
    /// nil if tables may have been made or dropped.
    var time: ContinuousClock.Instant?
    var columns: [TableName: [String]] = [:]
    var isClosed = false
    /// The statement in progress, which may go on after a call has stopped waiting for it.
    var reading: Task<Void, Never>?
  }

  private let database: Database
  private let state = Mutex(State())
  /// The longest time that a call waits.
  private static let patience = Duration.milliseconds(150)
  /// The longest time of a statement.
  private static let limit = Duration.seconds(2)
  /// The time after which tables that other programs make are noticed.
  private static let age = Duration.seconds(10)

  init(_ database: Database) { self.database = database }

  /// The tables that are known without a statement.
  public var tables: [TableName] { state.withLock { $0.tables } }

  /// The tables and views.
  public func currentTables() async -> [TableName] {
    let time = state.withLock { $0.time }
    if time.map({ $0.duration(to: .now) > Self.age }) ?? true {
      await read { [self] cancellation in
        keep(try await database.connection.tableNames(cancellation: cancellation))
      }
    }
    return tables
  }

  /// The columns of the table that the first one or two words of a path name; nil if unknown.
  public func columns(of path: [String]) async -> [String]? {
    let tables = await currentTables()
    let names =
      path.prefix(1).map { TableName($0) }
      + (path.count > 1 ? [TableName(path[1], schema: path[0])] : [])
    guard let table = names.first(where: tables.contains) else { return nil }
    if state.withLock({ $0.columns[table] }) == nil {
      await read { [self] cancellation in
        let schema = try await database.connection.schema(of: table, cancellation: cancellation)
        keep(schema.columns.map(\.name), of: table)
      }
    }
    return state.withLock { $0.columns[table] }
  }

  func keep(_ tables: [TableName]) {
    state.withLock { state in
      if Set(tables) != Set(state.tables) { state.columns = [:] }
      state.tables = tables
      state.time = .now
    }
  }

  func keep(_ columns: [String], of table: TableName) {
    state.withLock { $0.columns[table] = columns }
  }

  /// Notes that tables may have been made, changed or dropped.
  func expire() {
    state.withLock { state in
      state.time = nil
      state.columns = [:]
    }
  }

  func close() { state.withLock { $0.isClosed = true } }

  /// Waits for a statement, or for the one that is running already.
  private func read(_ work: @escaping @Sendable (Cancellation) async throws -> Void) async {
    state.withLock { state in
      guard !state.isClosed, state.reading == nil, !database.log.isBusy else { return }
      let cancellation = Cancellation()
      state.reading = Task { [self] in
        let end = Task {
          try await Task.sleep(for: Self.limit)
          cancellation.cancel()
        }
        try? await work(cancellation)
        end.cancel()
        self.state.withLock { $0.reading = nil }
      }
    }
    let end = ContinuousClock.now + Self.patience
    while state.withLock({ $0.reading != nil }), ContinuousClock.now < end {
      try? await Task.sleep(for: .milliseconds(1))
    }
  }
}
