import DataSources
import Synchronization

/// One request and its response: filled by the thread of ``TransferLoop``, emptied by the reader.
final class Transfer: Sendable {
  let hop: Hop
  let limits: TransferLimits
  private let loop: TransferLoop
  private let state: Mutex<State>

  private enum End: Equatable {
    case success
    case failure(TransportError)
  }

  private struct State {
    var head: ResponseHead
    var pending: [UInt8] = []
    /// Whether libcurl is paused because too many bytes are pending.
    var isPaused = false
    /// The time of the request.
    var requestTime: ContinuousClock.Instant?
    /// The time when libcurl started it; nil while it waits for a connection.
    var startTime: ContinuousClock.Instant?
    var end: End?
    var headReader: CheckedContinuation<ResponseHead, any Error>?
    var bodyReader: CheckedContinuation<[UInt8]?, any Error>?
  }

  /// The maximum number of pending bytes: enough that thread switches cost little.
  private static let maximumPending = 512 << 10

  init(_ hop: Hop, limits: TransferLimits, loop: TransferLoop) {
    self.hop = hop
    self.limits = limits
    self.loop = loop
    state = Mutex(State(head: ResponseHead(expectsChallenge: hop.login?.isDigest ?? false)))
  }

  /// Sends the request and waits for the head of the response.
  func begin() async throws -> ResponseHead {
    try await untilStopped { reader in
      let end = state.withLock { state in
        state.requestTime = .now
        if state.end == nil { state.headReader = reader }
        return state.end
      }
      if case .failure(let error) = end { return reader.resume(throwing: error) }
      loop.start(self)
    }
  }

  /// The bytes received since the last call; nil at the end.
  func next() async throws -> [UInt8]? {
    try await untilStopped { reader in
      state.withLock { $0.bodyReader = reader }
      deliver()
    }
  }

  /// Waits for a part of the response; canceling the task stops the transfer.
  private func untilStopped<Part: Sendable>(
    _ read: (CheckedContinuation<Part, any Error>) -> Void
  ) async throws -> Part {
    try await DeterministicExecutor.outside {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation(read)
      } onCancel: {
        stop()
      }
    }
  }

  /// Ends the transfer for the reader, and closes the connection.
  func stop() {
    if end(.failure(.cancelled), keepsBytes: false) { loop.stop(self) }
  }

  /// Records the time at which libcurl starts the transfer; ``age`` counts from then.
  func start() { state.withLock { $0.startTime = .now } }

  /// Seconds since its start, without the wait for a connection.
  var age: Double {
    state.withLock { state in state.startTime.map { $0.duration(to: .now) / .seconds(1) } ?? 0 }
  }

  /// The time that it waited for a connection.
  var queueTime: Duration {
    state.withLock { state in
      state.requestTime.map { $0.duration(to: state.startTime ?? .now) } ?? .zero
    }
  }

  /// - Returns: false to abort the transfer.
  func receive(headerLine line: UnsafeRawBufferPointer) -> Bool {
    let isAccepted = state.withLock { state in
      state.end == nil && state.head.append(line)
    }
    if !isAccepted {
      end(
        .failure(
          .network("\(hop.address.hostAndPort) sends too many headers", isTransient: false)))
    }
    return isAccepted
  }

  /// How received bytes are handled. After `paused`, the same bytes are received again.
  enum Reception { case accepted, paused, rejected }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Reception {
    state.withLock { state -> Reception in
      guard state.end == nil else { return .rejected }
      state.head.acceptChallenge()
      guard state.pending.count < Self.maximumPending else {
        state.isPaused = true
        return .paused
      }
      state.pending.append(contentsOf: bytes)
      return .accepted
    }
  }

  /// Ends the transfer with the result from libcurl; nil for success.
  func finish(_ failure: TransportError?) {
    if failure == nil { state.withLock { $0.head.acceptChallenge() } }
    let noResponse = TransportError.network(
      "\(hop.address.hostAndPort) closed the connection without a response", isTransient: true)
    if let failure = failure ?? (hasResponse ? nil : noResponse) {
      end(.failure(failure))
    } else {
      end(.success)
    }
  }

  /// Whether the head of the response is received.
  var hasResponse: Bool { state.withLock { $0.head.isComplete } }
  var isEnded: Bool { state.withLock { $0.end != nil } }

  /// - Returns: false if it had ended before; the first end counts.
  @discardableResult
  private func end(_ result: End, keepsBytes: Bool = true) -> Bool {
    let isFirst = state.withLock { state in
      if !keepsBytes { state.pending = [] }
      guard state.end == nil else { return false }
      state.end = result
      return true
    }
    deliver()
    return isFirst
  }

  /// Wakes the readers. The loop calls this once for all pieces received together, because a thread
  /// switch costs more than a piece.
  func deliver() {
    deliverHead()
    let delivery = state.withLock { state -> Delivery? in
      guard let reader = state.bodyReader else { return nil }
      if !state.pending.isEmpty {
        defer { state.pending = [] }
        state.bodyReader = nil
        defer { state.isPaused = false }
        return Delivery(reader: reader, result: .success(state.pending), resumes: state.isPaused)
      }
      guard let end = state.end else { return nil }
      state.bodyReader = nil
      let result: Result<[UInt8]?, TransportError> =
        if case .failure(let error) = end { .failure(error) } else { .success(nil) }
      return Delivery(reader: reader, result: result, resumes: false)
    }
    guard let delivery else { return }
    if delivery.resumes { loop.resume(self) }
    delivery.reader.resume(with: delivery.result.mapError { $0 })
  }

  private struct Delivery {
    let reader: CheckedContinuation<[UInt8]?, any Error>
    let result: Result<[UInt8]?, TransportError>
    let resumes: Bool
  }

  private func deliverHead() {
    let (reader, head, end) = state.withLock { state in
      let isDecided = state.head.isComplete || state.end != nil
      defer { if isDecided { state.headReader = nil } }
      return (isDecided ? state.headReader : nil, state.head, state.end)
    }
    guard let reader else { return }
    // An error after the head is thrown where the body is read.
    if !head.isComplete || end == .failure(.cancelled), case .failure(let error) = end {
      reader.resume(throwing: error)
    } else {
      reader.resume(returning: head)
    }
  }
}
