import DataSources
import Synchronization
import Testing

@Suite struct ExchangeTests {
  private let clock = ManualClock()

  private func text(
    of transport: any Transport, limits change: (inout TransferLimits) -> Void = { _ in }
  ) async throws -> String {
    var request = TransportRequest(url: "http://example.test/list")
    change(&request.limits)
    return try await transport.exchange(request, retry: Retry(clock: clock, random: { 0.5 })) {
      response in
      var bytes: [UInt8] = []
      for try await piece in response.body { bytes += piece }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Breaks in the middle of the body `times` times, then responds.
  private func breaking(_ times: Int, isTransient: Bool = true) -> (ScriptedTransport, Tally) {
    let tally = Tally()
    let transport = ScriptedTransport { _ in
      let fault = TransportError.network("broke in mid body", isTransient: isTransient)
      return TransportResponse(
        pieces: [Array("who".utf8), Array("le".utf8)], fault: tally.next() <= times ? fault : nil)
    }
    return (transport, tally)
  }

  @Test func aBrokenBodyIsReadAgain() async throws {
    let (transport, tally) = breaking(2)
    #expect(try await text(of: transport) == "whole")
    #expect(tally.count == 3)
    #expect(clock.sleeps == [.milliseconds(250), .milliseconds(500)])
  }

  @Test func theRetryPolicyOfTheTransportIsTheDefault() async throws {
    let (transport, tally) = breaking(2)
    let router = TransportRouter(
      files: ScriptedTransport.none, network: transport,
      retry: Retry(clock: clock, random: { 0.5 }))
    let status = try await router.exchange(TransportRequest(url: "http://example.test/list")) {
      response in
      for try await _ in response.body {}
      return response.status
    }
    #expect(status == 200 && tally.count == 3)
    #expect(clock.sleeps == [.milliseconds(250), .milliseconds(500)])
  }

  @Test func aBodyThatBreaksTooOftenFails() async throws {
    let (transport, tally) = breaking(3)
    await #expect(throws: TransportError.network("broke in mid body", isTransient: true)) {
      try await text(of: transport)
    }
    #expect(tally.count == 3)
  }

  @Test func aPermanentFailureIsNotRetried() async throws {
    let (transport, tally) = breaking(1, isTransient: false)
    await #expect(throws: TransportError.network("broke in mid body", isTransient: false)) {
      try await text(of: transport)
    }
    #expect(tally.count == 1)
  }

  @Test func noRetriesMeansOneTry() async throws {
    let (transport, tally) = breaking(1)
    await #expect(throws: TransportError.self) { try await text(of: transport) { $0.retries = 0 } }
    #expect(tally.count == 1)
  }

  @Test func aDelayBeyondTheTimeoutIsNotWaited() async throws {
    let (transport, tally) = breaking(1)
    await #expect(throws: TransportError.self) {
      try await text(of: transport) { $0.timeout = 0.2 }
    }
    #expect(tally.count == 1)
  }

  @Test func aBodyWithACanceledReaderIsIncomplete() async throws {
    let endless = ScriptedTransport { _ in
      TransportResponse(
        status: 200, headers: [], url: "",
        body: TransportBody {
          try await Task.sleep(for: .seconds(3600))
          return [1]
        })
    }
    let task = Task { try await text(of: endless) }
    task.cancel()
    await #expect(throws: (any Error).self) { try await task.value }
    let stream = ScriptedTransport { _ in
      TransportResponse(
        status: 200, headers: [], url: "", body: TransportBody { $0.yield([1]) })
    }
    let reader = Task { try await text(of: stream) }
    reader.cancel()
    await #expect(throws: TransportError.cancelled) { try await reader.value }
  }
}

/// Counts from 1.
private final class Tally: Sendable {
  private let number = Mutex(0)

  var count: Int { number.withLock { $0 } }

  func next() -> Int {
    number.withLock { number in
      number += 1
      return number
    }
  }
}
