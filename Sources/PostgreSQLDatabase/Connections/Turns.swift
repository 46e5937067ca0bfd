import DataSources
import DataTables
import Synchronization

/// Lets tasks use something one after another, in the order of their requests. A waiting task blocks
/// no thread.
final class Turns: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    var nextNumber = 0
    /// Requests that were canceled before they began to wait.
    var canceled: Set<Int> = []
  }

  private let state = Mutex(State())

  /// Waits for the turn, and keeps it while `body` runs.
  /// - Throws: `TableError.cancelled` while it waits.
  func hold<Result>(
    _ cancellation: Cancellation, _ body: () async throws -> Result
  ) async throws -> Result {
    if !take() {
      let hasTurn = try await cancellation.canceling { await self.wait() }
      guard hasTurn else { throw TableError.cancelled }
    }
    defer { pass() }
    return try await body()
  }

  /// Takes the turn if nothing else has it; ``pass()`` must follow.
  func take() -> Bool {
    state.withLock { state in
      defer { state.isTaken = true }
      return !state.isTaken
    }
  }

  /// Ends the turn: the next request has it.
  func pass() {
    let next = state.withLock { state in
      if state.waiting.isEmpty {
        state.isTaken = false
        return nil as CheckedContinuation<Bool, Never>?
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume(returning: true)
  }

  /// - Returns: false if the task was canceled first.
  private func wait() async -> Bool {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let hasTurn: Bool? = state.withLock { state in
          if state.canceled.remove(number) != nil { return false }
          if !state.isTaken {
            state.isTaken = true
            return true
          }
          state.waiting.append((number, continuation))
          return nil
        }
        if let hasTurn { continuation.resume(returning: hasTurn) }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
          // The turn may have been passed to this request already; then the number is unused.
          state.canceled.insert(number)
          return nil as CheckedContinuation<Bool, Never>?
        }
        return state.waiting.remove(at: index).continuation
      }
      continuation?.resume(returning: false)
    }
  }
}
