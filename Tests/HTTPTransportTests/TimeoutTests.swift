import Synchronization
import TestServer
import Testing

@testable import DataSources

@Suite struct TimeoutTests {
  @Test func aServerThatDoesNotRespondFailsWithTheLimit() async throws {
    try await FaultServer.run { server in
      let failure = await Client().failure("\(server.url)/silent") { $0.timeout = 0.5 }
      #expect(
        failure
          == .timeout("127.0.0.1:\(server.port) did not respond within 0.5 s", seconds: 0.5))
      #expect(await eventually { server.abandoned == ["/silent"] })
    }
  }

  @Test func aResponseThatDoesNotEndFailsWithTheLimit() async throws {
    try await FaultServer.run { server in
      let url = "\(server.url)/slow?milliseconds=50&count=1000"
      let failure = await Client().failure(url) { $0.timeout = 0.4 }
      #expect(
        failure
          == .timeout(
            "the response of 127.0.0.1:\(server.port) did not end within 0.4 s", seconds: 0.4))
    }
  }

  @Test func aSlowResponseWithinTheLimitIsComplete() async throws {
    try await FaultServer.run { server in
      let response = try await Client().get("\(server.url)/slow?milliseconds=20&count=5")
      #expect(response.body == "xxxxx")
    }
    try await TestServer.run { server in
      let response = try await Client().get("\(server.url)/slow?milliseconds=100")
      #expect(response.status == 200)
    }
  }

  @Test func aConnectionThatIsNotAcceptedFailsWithTheConnectionLimit() async throws {
    let unanswered = try UnansweredPort()
    let failure = await Client().failure("http://127.0.0.1:\(unanswered.port)/") {
      $0.connectTimeout = 0.3
      $0.timeout = 30
    }
    #expect(
      failure
        == .timeout(
          "127.0.0.1:\(unanswered.port) did not accept the connection within 0.3 s", seconds: 0.3))
  }

  @Test func theTimeoutIncludesRedirections() async throws {
    try await FaultServer.run { server in
      let url = "\(server.url)/to?url=\(server.url)/silent"
      let failure = await Client().failure(url) { $0.timeout = 1 }
      #expect(
        failure == .timeout("127.0.0.1:\(server.port) did not respond within 1 s", seconds: 1))
      #expect(server.targets.last == "/silent")
    }
  }

  @Test func atMostSixRequestsAreSentToAHostAtATime() async throws {
    try await FaultServer.run { server in
      let client = Client()
      let waiting = (0..<9).map { number in
        Task { await client.failure("\(server.url)/silent?\(number)") }
      }
      #expect(await eventually { server.targets.count == 6 })
      // Another host has free connections, and a canceled transfer frees one.
      let elsewhere = try await TestServer.run { other in
        try await client.get("\(other.url)/items").status
      }
      #expect(elsewhere == 200)
      #expect(server.targets.count == 6)
      for task in waiting { task.cancel() }
      for task in waiting { #expect(await task.value == .cancelled) }
      #expect(await client.failure("\(server.url)/short")?.isTransientNetwork == true)
    }
  }

  @Test func aRequestThatWaitsForAConnectionKeepsItsTimeout() async throws {
    try await FaultServer.run { server in
      let client = Client()
      let others = (0..<6).map { number in
        Task { await client.failure("\(server.url)/silent?\(number)") }
      }
      #expect(await eventually { server.targets.count == 6 })
      let queue = QueueTime()
      let isStarted = Atomic(false)
      let waiting = Task {
        isStarted.store(true, ordering: .relaxed)
        return await QueueTime.$current.withValue(queue) {
          await client.failure("\(server.url)/silent?late") { $0.timeout = 0.5 }
        }
      }
      #expect(await eventually { isStarted.load(ordering: .relaxed) })
      try await Task.sleep(for: .seconds(0.7))
      #expect(!server.targets.contains("/silent?late"))
      others.first?.cancel()
      // It reaches the server although it waited longer than its timeout.
      #expect(
        await waiting.value
          == .timeout("127.0.0.1:\(server.port) did not respond within 0.5 s", seconds: 0.5))
      #expect(server.targets.contains("/silent?late"))
      #expect(queue.total >= .seconds(0.2))
      for task in others { task.cancel() }
    }
  }

  @Test(arguments: [0, -1, .nan, .infinity, 1e300])
  func unusualLimitsAreAccepted(seconds: Double) async throws {
    try await TestServer.run { server in
      _ = await Client().failure("\(server.url)/items") {
        $0.timeout = seconds
        $0.connectTimeout = seconds
      }
    }
  }
}
