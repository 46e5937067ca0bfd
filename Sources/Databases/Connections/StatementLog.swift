import DataSources
import Synchronization

/// A statement that was sent to an engine.
public struct LoggedStatement: Sendable {
  /// The statement, with its values as literals.
  public let text: String
  /// The number of rows that it returned or changed.
  public let rows: Int
  /// The time until its last row was read, or until it failed.
  public let time: Duration
  /// The reason why it failed; nil if it succeeded.
  public let failure: String?
}

/// The statements that were sent over a connection.
public final class StatementLog: Sendable {
  private let state = Mutex<(statements: [LoggedStatement], dropped: Int)>(([], 0))
  private let running = Atomic(0)
  private let observer = Mutex<(@Sendable (LoggedStatement) -> Void)?>(nil)
  /// The number of statements that are kept.
  private static let maxStatements = 1_000

  public init() {}

  /// The number of statements that were ever sent.
  public var count: Int { state.withLock { $0.statements.count + $0.dropped } }

  /// Whether a statement is running.
  var isBusy: Bool { running.load(ordering: .relaxed) > 0 }

  /// The statements after the first `number`, as far as they are kept.
  public func statements(after number: Int) -> [LoggedStatement] {
    state.withLock { Array($0.statements.dropFirst(max(0, number - $0.dropped))) }
  }

  /// Called with each statement when it has ended; nil for no observer.
  public func observe(_ body: (@Sendable (LoggedStatement) -> Void)?) {
    observer.withLock { $0 = body }
  }

  /// Runs a statement and logs it.
  ///
  /// - Parameters:
  ///   - text: the statement, with its values as literals.
  ///   - rows: the number of rows in a result.
  func logging<Result>(
    _ text: @autoclosure () -> String, rows: (Result) -> Int, _ body: () async throws -> Result
  ) async throws -> Result {
    if UnobservedReads.areRunning { return try await body() }
    running.add(1, ordering: .relaxed)
    defer { running.subtract(1, ordering: .relaxed) }
    let start = ContinuousClock.now
    do {
      let result = try await body()
      add(
        LoggedStatement(
          text: text(), rows: rows(result), time: ContinuousClock.now - start, failure: nil))
      return result
    } catch {
      let failure = (error as? DatabaseError)?.message ?? "canceled"
      add(
        LoggedStatement(
          text: text(), rows: 0, time: ContinuousClock.now - start, failure: failure))
      throw error
    }
  }

  private func add(_ statement: LoggedStatement) {
    state.withLock { state in
      state.statements.append(statement)
      if state.statements.count > Self.maxStatements {
        state.statements.removeFirst(Self.maxStatements / 2)
        state.dropped += Self.maxStatements / 2
      }
    }
    observer.withLock { $0 }?(statement)
  }
}
