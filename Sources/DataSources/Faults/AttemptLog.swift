import Synchronization

/// Counts attempts, and determines which of them fail. Several tasks may use it at the same time.
final class AttemptLog: Sendable {
  let faults: Faults
  private let random: RandomNumbers?
  private let state: Mutex<State>

  private struct State {
    var attempts = 0
    /// The elements of ``Faults/failing`` that have not failed yet.
    var failing: [FailingAttempt]

    mutating func take(_ attempts: [FailingAttempt]) -> FailingAttempt? {
      guard let index = failing.firstIndex(where: attempts.contains) else { return nil }
      return failing.remove(at: index)
    }
  }

  init(_ faults: Faults) {
    self.faults = faults
    random = faults.rate.map { RandomNumbers(seed: $0.seed) }
    state = Mutex(State(failing: faults.failing))
  }

  /// Counts an attempt.
  /// - Parameter pages: the numbers of the pages that it requests, from 1.
  /// - Returns: the fault of the attempt; nil if it succeeds.
  func begin(_ unit: FailingAttempt.Unit, pages: [Int] = []) -> Fault? {
    let attempt = state.withLock { state in
      state.attempts += 1
      return FailingAttempt(unit, state.attempts)
    }
    // A number for each attempt: which ones the rate fails does not depend on the others.
    let draw = random?.next()
    if let fault = fault(of: [attempt] + pages.map { FailingAttempt(.page, $0) }) { return fault }
    if attempt.number <= faults.failingFirst {
      return Fault(attempt: attempt, setting: "times: \(faults.failingFirst)")
    }
    if let bytes = faults.droppedAfter, !faults.selectsAttempts {
      return Fault(attempt: attempt, setting: "drop: \(bytes)")
    }
    guard let rate = faults.rate, let draw, draw < rate.rate else { return nil }
    return Fault(attempt: attempt, setting: rate.description)
  }

  /// The fault of further pages of an attempt that has begun; nil if they succeed.
  func fault(ofPages pages: [Int]) -> Fault? {
    fault(of: pages.map { FailingAttempt(.page, $0) })
  }

  private func fault(of attempts: [FailingAttempt]) -> Fault? {
    state.withLock { $0.take(attempts) }.map { Fault(attempt: $0, setting: "fail: \($0)") }
  }
}

/// The reason why an attempt fails.
struct Fault {
  let attempt: FailingAttempt
  /// The setting that requested it, as it is written.
  let setting: String

  /// `` `faulty` was asked to fail page 2 (`fail: page 2`) ``
  /// - Parameter verb: the command that has the setting.
  func message(of verb: String) -> String {
    "`\(verb)` was asked to fail \(attempt) (`\(setting)`)"
  }
}
