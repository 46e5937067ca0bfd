import Synchronization

/// The transport to the network, which may be missing or refused.
final class NetworkRoute: Transport {
  private let state: Mutex<State>

  private struct State {
    var transport: (any Transport)?
    var isRefused = false
  }

  init(_ transport: (any Transport)?) { state = Mutex(State(transport: transport)) }

  var isRefused: Bool { state.withLock { $0.isRefused } }

  func refuse(_ isRefused: Bool) { state.withLock { $0.isRefused = isRefused } }

  func set(_ transport: any Transport) { state.withLock { $0.transport = transport } }

  func policy(for request: TransportRequest) -> SendingPolicy {
    state.withLock { $0.transport }?.policy(for: request) ?? SendingPolicy()
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let transport = try state.withLock { state throws(TransportError) -> any Transport in
      guard !SafeMode.isOn else {
        throw Self.denied("`--safe` allows no connections", request)
      }
      guard !state.isRefused else {
        throw Self.denied("the network is refused here", request)
      }
      guard let transport = state.transport else {
        throw Self.denied("no network is available here", request)
      }
      return transport
    }
    return try await transport.send(request)
  }

  private static func denied(_ why: String, _ request: TransportRequest) -> TransportError {
    let address = String(request.url.prefix { $0 != "?" && $0 != "#" })
    let url = Redactor().redacted(url: address)
    return .denied(
      "\(why): `cassette FILE` replays responses, `stub \(url) FILE` responds from a file")
  }
}
