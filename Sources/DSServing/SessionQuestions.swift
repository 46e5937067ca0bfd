import DataTables
import Glibc
import Synchronization

/// Questions of browsers to the session, which answers them between commands, where its sources are
/// isolated.
final class SessionQuestions: Sendable {
  struct Question: Equatable, Sendable {
    /// A random number of the window that asks; its next question replaces one that waits.
    let window: Int?
    let source: Int
    let content: Int
    let path: IndexPath
  }

  struct Waiting: Equatable, Sendable {
    let number: Int
    let question: Question
  }

  /// More questions are not answered.
  private static let mostWaiting = 32

  fileprivate struct State {
    var nextNumber = 0
    var waiting: [Waiting] = []
    var answers: [Int: CheckedContinuation<Value?, Never>] = [:]
    var isClosed = false
  }
  private let state = Mutex(State())
  /// Readable while a question waits: the read end of a pipe with a byte for each.
  let descriptor: Int32
  private let wakeEnd: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    // Without descriptors, questions are answered after the next line.
    _ = pipe(&ends)
    for end in ends where end >= 0 {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (descriptor, wakeEnd) = (ends[0], ends[1])
  }

  deinit {
    for end in [descriptor, wakeEnd] where end >= 0 { Glibc.close(end) }
  }

  /// Asks why an object is where it is.
  /// - Returns: nil if the session has not answered: too many questions wait, the server ends, the
  ///   request is canceled, or its window asks the next question.
  func explanation(_ question: Question) async -> Value? {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isOpen, replaced) = state.withLock {
          state -> (Bool, CheckedContinuation<Value?, Never>?) in
          let replaced = state.removeQuestion(of: question.window)
          guard !state.isClosed, !Task.isCancelled, state.waiting.count < Self.mostWaiting else {
            return (false, replaced)
          }
          state.answers[number] = continuation
          state.waiting.append(Waiting(number: number, question: question))
          return (true, replaced)
        }
        replaced?.resume(returning: nil)
        if isOpen { wake() } else { continuation.resume(returning: nil) }
      }
    } onCancel: {
      answer(number, nil)
    }
  }

  /// Removes and returns the question that waits longest. ``descriptor`` stays readable while another
  /// one waits.
  func take() -> Waiting? {
    var bytes: [UInt8] = Array(repeating: 0, count: 256)
    while read(descriptor, &bytes, bytes.count) > 0 {}
    let (first, hasMore) = state.withLock { state in
      let first = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
      return (first, !state.waiting.isEmpty)
    }
    if hasMore { wake() }
    return first
  }

  func answer(_ number: Int, _ answer: Value?) {
    let continuation = state.withLock { state in
      state.waiting.removeAll { $0.number == number }
      return state.answers.removeValue(forKey: number)
    }
    continuation?.resume(returning: answer)
  }

  /// Ends all questions, also later ones, without an answer.
  func close() {
    let open = state.withLock { state in
      defer { state.answers = [:] }
      state.isClosed = true
      return state.answers.values
    }
    for continuation in open { continuation.resume(returning: nil) }
  }

  private func wake() {
    var byte: UInt8 = 0
    _ = write(wakeEnd, &byte, 1)
  }
}

extension SessionQuestions.State {
  /// Removes the question of a window that waits.
  fileprivate mutating func removeQuestion(
    of window: Int?
  ) -> CheckedContinuation<Value?, Never>? {
    guard let window, let index = waiting.firstIndex(where: { $0.question.window == window })
    else { return nil }
    return answers.removeValue(forKey: waiting.remove(at: index).number)
  }
}
