import Synchronization
import Testing

@testable import DataSources

@Suite struct RetryingTransportTests {
  private let clock = ManualClock()
  private let request = TransportRequest(url: "http://example.test/list")

  /// Without randomness: half of the maximum delay.
  private var retry: Retry { Retry(clock: clock, random: { 0.5 }) }

  /// Returns one response after the other, then repeats the last one.
  private func script(_ responses: [Result<TransportResponse, TransportError>]) -> Script {
    Script(responses: responses)
  }

  @Test(arguments: [429, 502, 503, 504])
  func aTransientStatusIsRetried(status: Int) async throws {
    let script = script([.success(TransportResponse("", status: status)), .success(.ok)])
    let response = try await RetryingTransport(script, retry: retry).send(request)
    #expect(response.status == 200)
    #expect(script.requests.count == 2)
    #expect(clock.sleeps == [.milliseconds(250)])
  }

  @Test(arguments: [200, 304, 400, 401, 404, 500, 501])
  func anyOtherStatusIsReturned(status: Int) async throws {
    let script = script([.success(TransportResponse("", status: status)), .success(.ok)])
    let response = try await RetryingTransport(script, retry: retry).send(request)
    #expect(response.status == status)
    #expect(script.requests.count == 1)
  }

  @Test func aBrokenConnectionIsRetried() async throws {
    let script = script([.failure(.network("gone", isTransient: true)), .success(.ok)])
    #expect(try await RetryingTransport(script, retry: retry).send(request).status == 200)
    #expect(script.requests.count == 2)
  }

  @Test(arguments: [
    TransportError.network("no such host", isTransient: false),
    .timeout("too long", seconds: 1), .badURL("none"), .denied("no"), .cancelled,
    .limit("too large", setting: "bodySize"),
  ])
  func aPermanentFailureIsNotRetried(failure: TransportError) async throws {
    let script = script([.failure(failure), .success(.ok)])
    await #expect(throws: failure) {
      try await RetryingTransport(script, retry: retry).send(request)
    }
    #expect(script.requests.count == 1)
  }

  @Test func afterAllRetriesTheLastResponseIsReturned() async throws {
    let script = script([.success(TransportResponse("why", status: 503))])
    let response = try await RetryingTransport(script, retry: retry).send(request)
    #expect(response.status == 503)
    #expect(await response.text == "why")
    #expect(script.requests.count == 3)
    // Each delay is twice the previous one.
    #expect(clock.sleeps == [.milliseconds(250), .milliseconds(500)])
  }

  @Test func noRetriesMeansOneTry() async throws {
    let script = script([.success(TransportResponse("", status: 503))])
    var request = request
    request.limits.retries = 0
    #expect(try await RetryingTransport(script, retry: retry).send(request).status == 503)
    #expect(script.requests.count == 1)
  }

  @Test func delaysGrowUpToTheLongest() async throws {
    let script = script([.success(TransportResponse("", status: 503))])
    var request = request
    request.limits.retries = 9
    request.limits.timeout = 1000
    _ = try await RetryingTransport(script, retry: retry).send(request)
    let seconds = clock.sleeps.map { $0 / .seconds(1) }
    #expect(seconds == [0.25, 0.5, 1, 2, 4, 8, 15, 15, 15])
  }

  @Test(arguments: [
    ("3", 3.0), ("0", 0), ("4000", 30), ("99999999999999999999999", 30),
    ("Fri, 02 Nov 2012 10:00:07 GMT", 7), ("Fri, 02 Nov 2012 09:00:00 GMT", 0),
  ])
  func retryAfterIsHonoredUpToTheLongestDelay(value: String, seconds: Double) async throws {
    let headers = [
      HeaderField("Date", "Fri, 02 Nov 2012 10:00:00 GMT"), HeaderField("retry-after", value),
    ]
    let busy = TransportResponse("", status: 429, headers: headers)
    let script = script([.success(busy), .success(.ok)])
    #expect(try await RetryingTransport(script, retry: retry).send(request).status == 200)
    #expect(clock.sleeps == [.seconds(seconds)])
  }

  @Test func aRetryDateUsesTheClockWithoutAServerDate() async throws {
    let clock = AdjustableClock(date: 1_351_850_400)
    let retry = Retry(clock: clock, date: { clock.date }, random: { 0.5 })
    let headers = [HeaderField("Retry-After", "Fri, 02 Nov 2012 10:00:07 GMT")]
    let script = script([
      .success(TransportResponse("", status: 429, headers: headers)), .success(.ok),
    ])
    #expect(try await RetryingTransport(script, retry: retry).send(request).status == 200)
    #expect(clock.date == 1_351_850_407)
  }

  @Test(arguments: ["", "-1", "soon", "1.5", "Fri, 32 Nov 2012 10:00:07 GMT", "Nov 2012"])
  func anInvalidRetryAfterHasTheUsualDelay(value: String) async throws {
    let busy = TransportResponse("", status: 429, headers: [HeaderField("Retry-After", value)])
    let script = script([.success(busy), .success(.ok)])
    #expect(try await RetryingTransport(script, retry: retry).send(request).status == 200)
    #expect(clock.sleeps == [.milliseconds(250)])
  }

  @Test func aDelayBeyondTheTimeoutIsNotWaited() async throws {
    let busy = TransportResponse("", status: 429, headers: [HeaderField("Retry-After", "20")])
    let script = script([.success(busy), .success(.ok)])
    var request = request
    request.limits.timeout = 20
    #expect(try await RetryingTransport(script, retry: retry).send(request).status == 429)
    #expect(clock.sleeps.isEmpty)
  }

  @Test func retriesHaveTheRemainingTime() async throws {
    let script = Script(
      responses: [.failure(.network("gone", isTransient: true)), .success(.ok)], clock: clock)
    _ = try await RetryingTransport(script, retry: retry).send(request)
    // Each try takes 10 s, the delay 0.25 s.
    #expect(script.requests.map(\.limits.timeout) == [60, 49.75])
  }

  @Test func timeInAQueueDoesNotCount() async throws {
    let tries = Mutex<[TransportRequest]>([])
    let queueing = ScriptedTransport { [clock] request in
      clock.work(for: .seconds(70))
      QueueTime.current?.add(.seconds(65))
      tries.withLock { $0.append(request) }
      throw TransportError.network("gone", isTransient: true)
    }
    let transport = RetryingTransport(queueing, retry: retry)
    await #expect(throws: TransportError.network("gone", isTransient: true)) {
      try await transport.exchange(request, retry: retry) { $0.status }
    }
    #expect(tries.withLock { $0.map(\.limits.timeout) } == [60, 54.75, 49.25])
  }

  @Test func theQueueTimeOfAllTriesIsSubtractedFromTheExchange() async throws {
    let tries = Mutex(0)
    let queueing = ScriptedTransport { [clock] _ in
      clock.work(for: .seconds(70))
      QueueTime.current?.add(.seconds(70))
      let isLast = tries.withLock { tries in
        tries += 1
        return tries > 1
      }
      return isLast
        ? .ok
        : TransportResponse(pieces: [], fault: TransportError.network("cut", isTransient: true))
    }
    let transport = RetryingTransport(queueing, retry: retry)
    let status = try await transport.exchange(request, retry: retry) { response in
      for try await _ in response.body {}
      return response.status
    }
    #expect(status == 200)
    #expect(tries.withLock { $0 } == 2)
  }

  @Test func cancelingTheTaskEndsTheDelay() async throws {
    let script = script([.success(TransportResponse("", status: 503))])
    var patient = Retry(random: { 0.99 })
    patient.firstDelay = .seconds(29)
    let transport = RetryingTransport(script, retry: patient)
    let task = Task { [request] in try await transport.send(request).status }
    while script.requests.isEmpty { await Task.yield() }
    task.cancel()
    await #expect(throws: TransportError.cancelled) { try await task.value }
    #expect(script.requests.count == 1)
  }
}

/// Returns one response after the other, then repeats the last one; each takes ten seconds.
private final class Script: Transport {
  private let responses: [Result<TransportResponse, TransportError>]
  private let clock: ManualClock?
  private let received = Mutex<[TransportRequest]>([])

  init(responses: [Result<TransportResponse, TransportError>], clock: ManualClock? = nil) {
    self.responses = responses
    self.clock = clock
  }

  var requests: [TransportRequest] { received.withLock { $0 } }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    clock?.work(for: .seconds(10))
    let number = received.withLock { received in
      received.append(request)
      return received.count - 1
    }
    return try responses[min(number, responses.count - 1)].get()
  }
}

extension TransportResponse {
  fileprivate static var ok: TransportResponse { TransportResponse("ok") }
}
