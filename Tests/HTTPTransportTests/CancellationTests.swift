import DataSources
import DataTables
import TestServer
import Testing

@Suite struct CancellationTests {
  @Test func cancelingTheTaskClosesASilentConnection() async throws {
    try await FaultServer.run { server in
      let task = Task { await Client().failure("\(server.url)/silent") }
      #expect(await eventually { server.targets == ["/silent"] })
      task.cancel()
      #expect(await task.value == .cancelled)
      #expect(await eventually { server.abandoned == ["/silent"] })
    }
  }

  @Test func cancelingTheTaskClosesAConnectionInTheMiddleOfABody() async throws {
    try await FaultServer.run { server in
      let task = Task { await Client().failure("\(server.url)/endless") }
      #expect(await eventually { server.targets == ["/endless"] })
      task.cancel()
      #expect(await task.value == .cancelled)
      #expect(await eventually { server.abandoned == ["/endless"] })
    }
  }

  @Test func aCanceledTaskSendsNoRequest() async throws {
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

  @Test func aCancellationStopsARequest() async throws {
    try await FaultServer.run { server in
      let cancellation = Cancellation()
      let url = "\(server.url)/silent"
      let task = Task {
        try await cancellation.canceling { await Client().failure(url) }
      }
      #expect(await eventually { server.targets == ["/silent"] })
      cancellation.cancel()
      let failure = try await task.value
      #expect(failure == .cancelled)
      #expect(await eventually { server.abandoned == ["/silent"] })
    }
  }

  @Test func otherRequestsOfTheTransportContinue() async throws {
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
