import Synchronization

/// A statement that was sent to an engine.
public struct LoggedStatement: Sendable {
  /// The statement, with its values as literals.
  public let text: String
  /// The number of rows that it returned.
  public let rows: Int
  /// The time until its last row was read.
  public let time: Duration
}

/// The statements that were sent over a connection.
public final class StatementLog: Sendable {
  private let state = Mutex<(statements: [LoggedStatement], dropped: Int)>(([], 0))
  private let observer = Mutex<(@Sendable (LoggedStatement) -> Void)?>(nil)
  /// The number of statements that are kept.
  private static let maxStatements = 1_000

  public init() {}

  /// The number of statements that were ever sent.
  public var count: Int { state.withLock { $0.statements.count + $0.dropped } }

  /// The statements after the first `number`, as far as they are kept.
  public func statements(after number: Int) -> [LoggedStatement] {
    state.withLock { Array($0.statements.dropFirst(max(0, number - $0.dropped))) }
  }

  /// Called with each statement when it has ended; nil for no observer.
  public func observe(_ body: (@Sendable (LoggedStatement) -> Void)?) {
    observer.withLock { $0 = body }
  }

  func add(_ statement: LoggedStatement) {
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
