package import DataSources
package import DataTables

/// Observes a table of a server: by the server's own reports where it makes some, and by comparing
/// marks of the table at intervals.
package final class TableMonitor: ChangeMonitor {
  private let connection: any DatabaseConnection
  private let table: TableName
  private let clock: AdjustableClock
  /// The interval that was asked for.
  private let requested: Duration?
  private var listening: ChangeListening?
  private var mark = ""
  private var next: AdjustableClock.Instant
  /// Whether a change was noticed that no call has reported.
  private var isPending = false

  /// Without reports.
  private static let interval = Duration.seconds(2)
  /// With reports, for the changes that no trigger sees: of the definition, and by a replication.
  private static let listeningInterval = Duration.seconds(30)

  package init(
    _ table: TableName, over connection: any DatabaseConnection, every interval: Duration?,
    clock: AdjustableClock
  ) {
    self.table = table
    self.connection = connection
    requested = interval
    self.clock = clock
    next = clock.now
  }

  private var listener: (any ChangeListener)? {
    if case .active(let listener)? = listening { listener } else { nil }
  }

  package var descriptor: Int32? { listener?.descriptor }

  package var interval: Duration? {
    listener != nil && isPending ? .zero : period
  }

  private var period: Duration {
    // Reports may be possible, which the next call finds out.
    if listening == nil { return min(requested ?? Self.interval, Self.interval) }
    return requested ?? (listener == nil ? Self.interval : Self.listeningInterval)
  }

  package var nextCheck: AdjustableClock.Instant? { next }
  package var reportsAtOnce: Bool { connection.files != nil }

  package var method: ObservationMethod {
    if listener != nil { return .reported }
    if case .available(let statements)? = listening { return .polled(reportedAfter: statements) }
    return .polled(reportedAfter: [])
  }

  package func begin(cancellation: Cancellation) async {
    guard listening == nil else { return }
    let found = try? await connection.listening(to: table, cancellation: cancellation)
    listening = found ?? .unavailable
    scheduleNext()
    // The last mark may be older than the first report, and lags behind the changes.
    if listener != nil { isPending = true }
  }

  package func takeChange(cancellation: Cancellation) async throws -> Bool {
    await begin(cancellation: cancellation)
    do {
      if try await listener?.takeChange() ?? false { isPending = true }
    } catch {
      // The last reports may be lost. The next call listens again.
      listening = nil
      next = clock.now
      isPending = true
    }
    if clock.now >= next {
      if try await ask(cancellation) { isPending = true }
      scheduleNext()
    }
    defer { isPending = false }
    return isPending
  }

  private func scheduleNext() { next = clock.now.advanced(by: period) }

  /// Whether the mark of the table has changed. The trigger on which reports rely may have been made
  /// or dropped meanwhile.
  private func ask(_ cancellation: Cancellation) async throws -> Bool {
    let isReliable = try? await listener?.isReliable(cancellation: cancellation)
    try cancellation.check()
    if isReliable != true { listening = nil }
    let new: String
    do {
      new = try await connection.changeMark(of: [table], cancellation: cancellation) ?? ""
    } catch {
      // A server that cannot be reached is a change, which the next fetch reports.
      try cancellation.check()
      new = "\(error)"
    }
    defer { mark = new }
    return new != mark
  }
}
