import DataSources
import DataTables
import Databases
import Synchronization
import Testing

/// When a table of a server is compared, and what a report of the server does.
@Suite struct TableMonitorTests {
  private let server = ReportingServer()
  private let clock = AdjustableClock(date: 0)

  /// A monitor of a table whose trigger exists, after its first reports.
  private func monitor() async throws -> TableMonitor {
    let monitor = TableMonitor(TableName("t"), over: server, every: nil, clock: clock)
    for _ in 0..<2 { _ = try await monitor.takeChange(cancellation: Cancellation()) }
    #expect(try await !monitor.takeChange(cancellation: Cancellation()))
    return monitor
  }

  @Test func theTableIsComparedOnceReportsBegin() async throws {
    let monitor = TableMonitor(TableName("t"), over: server, every: nil, clock: clock)
    await monitor.begin(cancellation: Cancellation())
    #expect(try await monitor.takeChange(cancellation: Cancellation()))
    #expect(try await !monitor.takeChange(cancellation: Cancellation()))
  }

  @Test func aLostConnectionIsReplacedSoon() async throws {
    let monitor = try await monitor()
    #expect(monitor.interval == .seconds(30))
    server.state.withLock { state in
      state.isLost = true
      state.canListen = false
    }
    #expect(try await monitor.takeChange(cancellation: Cancellation()))
    _ = try await monitor.takeChange(cancellation: Cancellation())
    #expect(monitor.interval == .seconds(2))
    server.state.withLock { state in
      state.isLost = false
      state.mark = "2"
    }
    try await clock.sleep(for: .seconds(3))
    #expect(try await monitor.takeChange(cancellation: Cancellation()))
    server.state.withLock { $0.canListen = true }
    try await clock.sleep(for: .seconds(3))
    for _ in 0..<2 { _ = try await monitor.takeChange(cancellation: Cancellation()) }
    #expect(monitor.interval == .seconds(30))
  }

  @Test func aReportSurvivesACancellation() async throws {
    let monitor = try await monitor()
    server.state.withLock { $0.reports = 1 }
    try await clock.sleep(for: .seconds(31))
    let cancellation = Cancellation()
    cancellation.cancel()
    await #expect(throws: TableError.cancelled) {
      _ = try await monitor.takeChange(cancellation: cancellation)
    }
    #expect(monitor.interval == .zero)
    #expect(try await monitor.takeChange(cancellation: Cancellation()))
    #expect(monitor.interval == .seconds(30))
  }
}

/// A server that reports what a test says.
private final class ReportingServer: DatabaseConnection {
  struct State {
    var mark = "1"
    var reports = 0
    var isLost = false
    var canListen = true
  }
  let state = Mutex(State())

  final class Listener: ChangeListener {
    let descriptor: Int32 = -1
    let server: ReportingServer

    init(_ server: ReportingServer) { self.server = server }

    func takeChange() async throws -> Bool {
      try server.state.withLock { state in
        if state.isLost { throw ReportingServer.failure }
        defer { state.reports = 0 }
        return state.reports > 0
      }
    }

    func isReliable(cancellation: Cancellation) async throws -> Bool {
      try cancellation.check()
      return true
    }
  }

  static let failure = DatabaseError(.connection, "the server closed the connection")
  let address = DatabaseAddress(file: "d")
  let isWritable = false
  var dialect: any SQLDialect { preconditionFailure("statements are not written") }

  func listening(
    to table: TableName, cancellation: Cancellation
  ) async throws -> ChangeListening {
    guard state.withLock({ $0.canListen }) else { throw Self.failure }
    return .active(Listener(self))
  }

  func changeMark(of tables: [TableName], cancellation: Cancellation) async throws -> String? {
    try cancellation.check()
    return state.withLock { $0.mark }
  }

  func tables(cancellation: Cancellation) async throws -> [TableSummary] { [] }

  func schema(of table: TableName, cancellation: Cancellation) async throws -> TableSchema {
    throw Self.failure
  }

  func snapshot(
    of tables: [TableName], cancellation: Cancellation
  ) async throws -> any DatabaseSnapshot { throw Self.failure }

  func facts(
    of columns: [DatabaseColumn], in table: TableSchema, on snapshot: any DatabaseSnapshot,
    cancellation: Cancellation
  ) async throws -> [ColumnFacts] { throw Self.failure }

  func execute(_ statement: SQL, cancellation: Cancellation) async throws -> Int? { nil }

  func insert(
    into table: TableName, columns: [DatabaseColumn], cancellation: Cancellation,
    rows: @Sendable () async throws -> [[Value]]
  ) async throws { throw Self.failure }

  func create(
    _ table: TableName, columns: [DatabaseColumn], isReplacing: Bool, cancellation: Cancellation,
    rows: @Sendable () async throws -> [[Value]]
  ) async throws { throw Self.failure }

  func close() async {}
}
