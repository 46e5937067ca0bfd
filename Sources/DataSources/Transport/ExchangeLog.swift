import Synchronization

/// The requests that a source has sent since its last fetch began, with their responses.
///
/// Each try of a request is an exchange of its own. Requests that are sent side by side have slots
/// in the order in which they are sent one after the other, so the order of the exchanges does not
/// depend on the speed of a server.
public final class ExchangeLog: Sendable {
  private let slots = Mutex<[[LoggedExchange]]>([])
  private let clock: AdjustableClock

  /// - Parameter clock: the clock of the durations.
  init(clock: AdjustableClock) { self.clock = clock }

  /// The exchanges in the order of the slots; those of a slot in the order of their tries.
  public var exchanges: [LoggedExchange] { slots.withLock { $0.flatMap(\.self) } }

  /// A new slot, after all others.
  func slot() -> Slot {
    let index = slots.withLock { slots in
      slots.append([])
      return slots.count - 1
    }
    return Slot(log: self, index: index)
  }

  fileprivate func append(_ exchange: LoggedExchange, to slot: Int) {
    slots.withLock { $0[slot].append(exchange) }
  }

  /// Changes the last exchange of a slot, which is the one that runs.
  fileprivate func changeLast(of slot: Int, _ change: (inout LoggedExchange) -> Void) {
    slots.withLock { slots in
      guard let last = slots[slot].indices.last else { return }
      change(&slots[slot][last])
    }
  }

  /// The place of one request and its retries.
  public struct Slot: Sendable {
    fileprivate let log: ExchangeLog
    fileprivate let index: Int

    /// Logs that a request is sent.
    /// - Parameter retry: its number, 0 for the first try.
    func begin(_ request: TransportRequest, retry: Int) -> Running {
      log.append(LoggedExchange(request, retry: retry), to: index)
      return Running(slot: self, request: request, start: log.clock.now)
    }

    /// Counts bytes of the body that arrives.
    func add(bytes: Int) {
      log.changeLast(of: index) { $0.bytes += bytes }
    }
  }

  /// An exchange that may not have ended.
  struct Running: Sendable {
    fileprivate let slot: Slot
    fileprivate let request: TransportRequest
    fileprivate let start: AdjustableClock.Instant

    /// Logs the head of the response, after an exchange for each redirection.
    func receive(_ response: TransportResponse) {
      for redirection in response.redirections {
        var next: LoggedExchange?
        change { exchange in
          let url = request.redacting(redirection.url)
          exchange.status = redirection.status
          exchange.location = url
          // The time of all of them is that of the last one.
          exchange.duration = .zero
          next = LoggedExchange(request, url: url, retry: exchange.retry)
        }
        if let next { slot.log.append(next, to: slot.index) }
      }
      let headers = response.headers.map { $0.redacted(by: request) }
      change { exchange in
        exchange.status = response.status
        exchange.responseHeaders = headers
      }
    }

    func end() {
      let duration = start.duration(to: slot.log.clock.now)
      change { $0.duration = duration }
    }

    /// Logs the failure of the exchange itself; an error about a complete response is not one.
    func fail(_ error: any Error) {
      end()
      guard let error = error as? TransportError else { return }
      let message = request.redacting(error.message)
      change { $0.failure = message }
    }

    private func change(_ change: (inout LoggedExchange) -> Void) {
      slot.log.changeLast(of: slot.index, change)
    }
  }
}

/// A request as it was sent, and its response; without secrets.
public struct LoggedExchange: Hashable, Sendable {
  public let method: String
  public let url: String
  public let headers: [HeaderField]
  /// The body of a POST that is a query; nil without one.
  public let body: String?
  /// The number of the retry; 0 for the first try.
  public let retry: Int
  /// nil before the response, or without one.
  public fileprivate(set) var status: Int?
  /// The URL to which a redirection led; nil for another response.
  public fileprivate(set) var location: String?
  public fileprivate(set) var responseHeaders: [HeaderField] = []
  /// The number of bytes of the body that were received, after decompression.
  public fileprivate(set) var bytes = 0
  /// The time from the request to the end of the response or its failure; nil before that.
  public fileprivate(set) var duration: Duration?
  /// The message of the error that ended the exchange early.
  public fileprivate(set) var failure: String?

  /// - Parameter url: nil for that of the request.
  fileprivate init(_ request: TransportRequest, url: String? = nil, retry: Int) {
    method = request.method
    self.url = url ?? request.shownURL
    headers = request.headers.map {
      HeaderField($0.name, $0.value.shown).redacted(by: request)
    }
    let query = request.body.flatMap { $0.isQuery ? $0.bytes : nil }
    body = query.map { request.redacting(String(decoding: $0, as: UTF8.self)) }
    self.retry = retry
  }
}

extension HeaderField {
  /// A copy without the secrets of a request, and without a value whose name means a secret.
  fileprivate func redacted(by request: TransportRequest) -> HeaderField {
    let isSymbol = request.headers.contains {
      $0.name == name && $0.value.isSecret && $0.value.shown == value
    }
    if isSymbol { return self }
    return HeaderField(
      name, SecretNames.contains(name) ? Redactor.mark : request.redacting(value))
  }
}
