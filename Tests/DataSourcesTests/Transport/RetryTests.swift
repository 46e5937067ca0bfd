import Synchronization
import Testing

@testable import DataSources

@Suite struct RetryTests {
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
    let response = try await script.exchange(request, retry: retry) { $0 }
    #expect(response.status == 200)
    #expect(script.requests.count == 2)
    #expect(clock.sleeps == [.milliseconds(250)])
  }

  @Test(arguments: [200, 304, 400, 401, 404, 500, 501])
  func anyOtherStatusIsReturned(status: Int) async throws {
    let script = script([.success(TransportResponse("", status: status)), .success(.ok)])
    let response = try await script.exchange(request, retry: retry) { $0 }
    #expect(response.status == status)
    #expect(script.requests.count == 1)
  }

  @Test func aBrokenConnectionIsRetried() async throws {
    let script = script([.failure(.network("gone", isTransient: true)), .success(.ok)])
    #expect(try await script.exchange(request, retry: retry) { $0 }.status == 200)
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
      try await script.exchange(request, retry: retry) { $0 }
    }
    #expect(script.requests.count == 1)
  }

  @Test func afterAllRetriesTheLastResponseIsReturned() async throws {
    let script = script([.success(TransportResponse("why", status: 503))])
    let response = try await script.exchange(request, retry: retry) { $0 }
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
    #expect(try await script.exchange(request, retry: retry) { $0 }.status == 503)
    #expect(script.requests.count == 1)
  }

  @Test func delaysGrowUpToTheLongest() async throws {
    let script = script([.success(TransportResponse("", status: 503))])
    var request = request
    request.limits.retries = 9
    request.limits.timeout = 1000
    _ = try await script.exchange(request, retry: retry) { $0 }
    let seconds = clock.sleeps.map { $0 / .seconds(1) }
    #expect(seconds == [0.25, 0.5, 1, 2, 4, 8, 15, 15, 15])
  }

  @Test(arguments: [
    ("3", 3.0), ("0", 0.25), ("45", 45), ("Fri, 02 Nov 2012 10:00:07 GMT", 7),
    ("Fri, 02 Nov 2012 09:00:00 GMT", 0.25),
  ])
  func retryAfterIsHonored(value: String, seconds: Double) async throws {
    let headers = [
      HeaderField("Date", "Fri, 02 Nov 2012 10:00:00 GMT"), HeaderField("retry-after", value),
    ]
    let busy = TransportResponse("", status: 429, headers: headers)
    let script = script([.success(busy), .success(.ok)])
    #expect(try await script.exchange(request, retry: retry) { $0 }.status == 200)
    #expect(clock.sleeps == [.seconds(seconds)])
  }

  @Test(arguments: ["60", "4000", "99999999999999999999999"])
  func aRequestedWaitBeyondTheTimeoutIsNotShortened(value: String) async throws {
    let busy = TransportResponse("", status: 429, headers: [HeaderField("Retry-After", value)])
    let script = script([.success(busy), .success(.ok)])
    #expect(try await script.exchange(request, retry: retry) { $0 }.status == 429)
    #expect(script.requests.count == 1 && clock.sleeps.isEmpty)
  }

  @Test func aDelayThatTakesNoTimeCountsAsIfItHadBeenWaited() async throws {
    let script = script([.failure(.network("gone", isTransient: true)), .success(.ok)])
    var retry = retry
    retry.takesTime = false
    _ = try await script.exchange(request, retry: retry) { $0 }
    #expect(script.requests.map(\.limits.timeout) == [60, 59.75])
    #expect(clock.sleeps.isEmpty)
  }

  @Test func aRetryDateUsesTheClockWithoutAServerDate() async throws {
    let clock = AdjustableClock(date: 1_351_850_400)
    let retry = Retry(clock: clock, date: { clock.date }, random: { 0.5 })
    let headers = [HeaderField("Retry-After", "Fri, 02 Nov 2012 10:00:07 GMT")]
    let script = script([
      .success(TransportResponse("", status: 429, headers: headers)), .success(.ok),
    ])
    #expect(try await script.exchange(request, retry: retry) { $0 }.status == 200)
    #expect(clock.date == 1_351_850_407)
  }

  @Test(arguments: ["", "-1", "soon", "1.5", "Fri, 32 Nov 2012 10:00:07 GMT", "Nov 2012"])
  func anInvalidRetryAfterHasTheUsualDelay(value: String) async throws {
    let busy = TransportResponse("", status: 429, headers: [HeaderField("Retry-After", value)])
    let script = script([.success(busy), .success(.ok)])
    #expect(try await script.exchange(request, retry: retry) { $0 }.status == 200)
    #expect(clock.sleeps == [.milliseconds(250)])
  }

  @Test func aDelayBeyondTheTimeoutIsNotWaited() async throws {
    let busy = TransportResponse("", status: 429, headers: [HeaderField("Retry-After", "20")])
    let script = script([.success(busy), .success(.ok)])
    var request = request
    request.limits.timeout = 20
    #expect(try await script.exchange(request, retry: retry) { $0 }.status == 429)
    #expect(clock.sleeps.isEmpty)
  }

  @Test func retriesHaveTheRemainingTime() async throws {
    let script = Script(
      responses: [.failure(.network("gone", isTransient: true)), .success(.ok)], clock: clock)
    _ = try await script.exchange(request, retry: retry) { $0 }
    // Each try takes 10 s, the delay 0.25 s.
    #expect(script.requests.map(\.limits.timeout) == [60, 49.75])
  }

  @Test(arguments: [(49.75, 60.0), (10, 10)])
  func aTimeoutAfterARetryHasTheLimitOfAllTries(seconds: Double, limit: Double) async throws {
    let script = Script(
      responses: [
        .failure(.network("gone", isTransient: true)),
        .failure(.timeout("a.test did not respond within \(seconds) s", seconds: seconds)),
      ], clock: clock)
    let error = await #expect(throws: TransportError.self) {
      try await script.exchange(request, retry: retry) { $0 }
    }
    let isLimitOfAll = limit == 60
    #expect(
      error
        == .timeout(
          isLimitOfAll
            ? "no complete response was received within 60 s"
            : "a.test did not respond within 10.0 s", seconds: limit))
  }

  @Test func timeInAQueueDoesNotCount() async throws {
    let tries = Mutex<[TransportRequest]>([])
    let queueing = ScriptedTransport { [clock] request in
      clock.work(for: .seconds(70))
      QueueTime.current?.add(.seconds(65))
      tries.withLock { $0.append(request) }
      throw TransportError.network("gone", isTransient: true)
    }
    await #expect(throws: TransportError.network("gone", isTransient: true)) {
      try await queueing.exchange(request, retry: retry) { $0.status }
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
    let status = try await queueing.exchange(request, retry: retry) { response in
      for try await _ in response.body {}
      return response.status
    }
    #expect(status == 200)
    #expect(tries.withLock { $0 } == 2)
  }

  @Test func triesAreRecordedAndReplayedWithoutWaits() async throws {
    let folder = try TemporaryFolder()
    let busy = TransportResponse("", status: 503, headers: [HeaderField("Retry-After", "20")])
    let network = script([
      .success(busy), .failure(.network("gone", isTransient: true)), .success(.ok),
    ])
    let router = TransportRouter(files: ScriptedTransport.none, network: network, retry: retry)
    try router.record(folder.path(of: "t.cassette"))
    #expect(try await router.exchange(request) { $0 }.status == 200)
    #expect(clock.sleeps == [.seconds(20), .milliseconds(500)])
    try router.replay(folder.path(of: "t.cassette"))
    #expect(router.cassette?.count == 3)
    let log = ExchangeLog(clock: AdjustableClock(date: 0))
    #expect(try await router.exchange(request, slot: log.slot()) { $0 }.status == 200)
    #expect(log.exchanges.map(\.status) == [503, nil, 200])
    #expect(clock.sleeps.count == 2 && network.requests.count == 3)
  }

  @Test func aDateInRetryAfterIsRecordedWithTheDateOfTheServer() async throws {
    let folder = try TemporaryFolder()
    let headers = [
      HeaderField("Date", "Fri, 02 Nov 2012 10:00:00 GMT"),
      HeaderField("Retry-After", "Fri, 02 Nov 2012 10:00:07 GMT"),
    ]
    let network = script([
      .success(TransportResponse("", status: 429, headers: headers)), .success(.ok),
    ])
    let clock = AdjustableClock(date: 0)
    let router = TransportRouter(
      files: ScriptedTransport.none, network: network,
      retry: Retry(clock: clock, date: { clock.date }, random: { 0.5 }))
    try router.record(folder.path(of: "t.cassette"))
    #expect(try await router.exchange(request) { $0 }.status == 200)
    try router.replay(folder.path(of: "t.cassette"))
    #expect(try await router.exchange(request) { $0 }.status == 200)
    #expect(clock.date == 14)
  }

  @Test func cancelingTheTaskEndsTheDelay() async throws {
    let script = script([.success(TransportResponse("", status: 503))])
    var patient = Retry(random: { 0.99 })
    patient.firstDelay = .seconds(29)
    let task = Task { [request, patient] in
      try await script.exchange(request, retry: patient) { $0.status }
    }
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
