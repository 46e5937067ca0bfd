import DataSources
import DataTables
import TestServer
import Testing

@Suite struct CancellationTests {
  @Test func theEndOfTheTaskClosesAConnectionThatIsSilent() async throws {
    try await FaultServer.run { server in
      let task = Task { await Client().failure("\(server.url)/silent") }
      #expect(await eventually { server.targets == ["/silent"] })
      task.cancel()
      #expect(await task.value == .cancelled)
      #expect(await eventually { server.abandoned == ["/silent"] })
    }
  }

  @Test func theEndOfTheTaskClosesAConnectionInMidBody() async throws {
    try await FaultServer.run { server in
      let task = Task { await Client().failure("\(server.url)/endless") }
      #expect(await eventually { server.targets == ["/endless"] })
      task.cancel()
      #expect(await task.value == .cancelled)
      #expect(await eventually { server.abandoned == ["/endless"] })
    }
  }

  @Test func aTaskThatHasEndedAsksNothing() async throws {
    try await FaultServer.run { server in
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return await Client().failure("\(server.url)/short")
      }
      task.cancel()
      #expect(await task.value == .cancelled)
      #expect(server.targets.isEmpty)
    }
  }

  @Test func aRaisedFlagStopsARequest() async throws {
    try await FaultServer.run { server in
      let flag = Cancellation()
      let url = "\(server.url)/silent"
      let task = Task {
        try await flag.canceling { await Client().failure(url) }
      }
      #expect(await eventually { server.targets == ["/silent"] })
      flag.cancel()
      let failure = try await task.value
      #expect(failure == .cancelled)
      #expect(await eventually { server.abandoned == ["/silent"] })
    }
  }

  @Test func otherRequestsOfTheTransportGoOn() async throws {
    try await FaultServer.run { server in
      let client = Client()
      let stopped = Task { await client.failure("\(server.url)/silent") }
      let slow = Task { try await client.get("\(server.url)/slow?milliseconds=50&count=6").body }
      #expect(await eventually { server.targets.count == 2 })
      stopped.cancel()
      #expect(await stopped.value == .cancelled)
      let body = try await slow.value
      #expect(body == "xxxxxx")
    }
  }
}
