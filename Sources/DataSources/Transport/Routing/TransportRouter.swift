public import DataTables
import Synchronization

/// Sends each request to a stub that matches its URL; without one, to the cassette or the network.
///
/// A changed setting applies from the next request on. Requests for `file:` URLs always read the
/// file: stubs, cassettes and a refused network do not affect them.
public final class TransportRouter: Transport {
  private let routes: Mutex<Routes>
  private let network: NetworkRoute
  /// Knows the secrets of all requests; nil before the first one.
  private let secrets = Mutex<Redactor?>(nil)
  /// The delays before retries of requests to a server; responses from stubs and cassettes need none.
  public let retry: Retry

  private struct Routes {
    var stubs: [StubTransport] = []
    var cassette: Cassette? { willSet { noteUnusedExchanges() } }
    var files: any Transport
    /// The exchanges of cassettes replayed before that no request used, by the paths of the cassettes.
    /// nil without any: a dictionary of sets would take a tenth of the time of the start.
    var unused: [String: Set<UnusedExchange>]?

    init(files: any Transport) { self.files = files }

    /// Adds those of the current cassette: an exchange is unused if it is in each replay of its file.
    mutating func noteUnusedExchanges() {
      guard case .replay(let replay) = cassette else { return }
      let rest = replay.unused
      var all = unused ?? [:]
      all[replay.path] = all[replay.path].map(rest.intersection) ?? rest
      unused = all
    }
  }

  /// The cassette in use.
  public enum Cassette: Sendable {
    case replay(CassetteReplay)
    case recorder(CassetteRecorder)

    public var path: String {
      switch self {
      case .replay(let cassette): cassette.path
      case .recorder(let cassette): cassette.path
      }
    }

    /// The number of exchanges in it.
    public var count: Int {
      switch self {
      case .replay(let cassette): cassette.count
      case .recorder(let cassette): cassette.count
      }
    }

    fileprivate var transport: any Transport {
      switch self {
      case .replay(let cassette): cassette
      case .recorder(let cassette): cassette
      }
    }
  }

  /// - Parameters:
  ///   - files: the transport of `file:` URLs.
  ///   - network: the transport of http and https; nil without a network.
  ///   - retry: the delays before retries, also of requests to stubs and cassettes, where they take
  ///     no time on the machine's clock.
  public init(
    files: any Transport, network: (any Transport)? = nil, retry: Retry = Retry()
  ) {
    self.retry = retry
    routes = Mutex(Routes(files: files))
    self.network = NetworkRoute(network)
  }

  /// - Throws: ``TransportError``: the errors of the transport, `badURL` for an unsupported scheme,
  ///   and `denied` for a secret without a value.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    secrets.withLock { known in
      var redactor = known ?? Redactor(minimumLength: RequestValue.minimumSearchedLength)
      known = nil
      _ = redactor.learn(from: request)
      known = redactor
    }
    return try await route(of: request).transport.send(request)
  }

  /// The replacement of a secret in ``redacting(_:)``.
  package static let secretMark = Redactor.mark

  /// A text without the secrets of the requests so far, in any encoding.
  package func redacting(_ text: String) -> String {
    secrets.withLock { $0?.redacted(text) } ?? text
  }

  /// The delays of ``retry``; only requests that go to the network alone are sent side by side.
  public func policy(for request: TransportRequest) -> SendingPolicy {
    var policy = SendingPolicy(retry: retry)
    guard let route = try? route(of: request) else { return policy }
    policy.retry.takesTime = !route.isLocal
    if route.transport is NetworkRoute {
      policy.parallelRequests = route.transport.policy(for: request).parallelRequests
    }
    return policy
  }

  private struct Route {
    let transport: any Transport
    /// Whether files respond, rather than a server.
    var isLocal = false
  }

  private func route(of request: TransportRequest) throws -> Route {
    let url = RequestURL(request.sentURL)
    return try routes.withLock { routes throws(TransportError) -> Route in
      let matches = routes.stubs.compactMap { stub in stub.match(url).map { (stub, $0) } }
      if let stub = matches.max(by: { $0.1 < $1.1 })?.0 {
        return Route(transport: stub, isLocal: true)
      }
      // A `file:` URL has no host and may lack the slashes.
      switch URLParts(request.url).scheme ?? "" {
      case "http", "https":
        if case .replay(let cassette) = routes.cassette {
          return Route(transport: cassette, isLocal: true)
        }
        try request.checkSecrets()
        return Route(transport: routes.cassette?.transport ?? network)
      case "file": return Route(transport: routes.files, isLocal: true)
      case "":
        throw .badURL(
          "`\(Redactor().redacted(url: request.url))` has no scheme; write `http://` before it")
      default:
        throw .badURL("unsupported URL scheme `\(url.scheme)`; expected http, https or file")
      }
    }
  }
}

extension TransportRequest {
  /// - Throws: ``TransportError/denied(_:)`` for a secret without a value.
  fileprivate func checkSecrets() throws(TransportError) {
    let values = (query + headers + identity.secrets).map(\.value) + (body?.secrets ?? [])
    for case .missing(let symbol) in values {
      throw .denied("`\(symbol)` has no value, and only a recording responds without it")
    }
  }
}

// The network.
extension TransportRouter {
  /// Sets the transport of http and https.
  public func setNetwork(_ transport: any Transport) { network.set(transport) }

  /// Whether requests to the network are refused, as in test runs: only stubs and cassettes
  /// respond.
  public var refusesNetwork: Bool {
    get { network.isRefused }
    set { network.refuse(newValue) }
  }
}

// Stubs.
extension TransportRouter {
  /// The stubs in the order in which they were added.
  public var stubs: [StubTransport] { routes.withLock { $0.stubs } }

  /// Adds a stub, replacing one for the same URL.
  public func add(_ stub: StubTransport) {
    routes.withLock { routes in
      routes.stubs.removeAll { $0.parts == stub.parts }
      routes.stubs.append(stub)
    }
  }

  /// - Returns: Whether there was a stub for this URL.
  public func removeStub(for url: String) -> Bool {
    let parts = RequestURL(url)
    return routes.withLock { routes in
      let count = routes.stubs.count
      routes.stubs.removeAll { $0.parts == parts }
      return routes.stubs.count < count
    }
  }

  public func removeStubs() { routes.withLock { $0.stubs = [] } }
}

// Cassettes.
extension TransportRouter {
  /// The cassette in use; nil without one.
  public var cassette: Cassette? { routes.withLock { $0.cassette } }

  /// Whether a replayed cassette or a stub may respond: such a response needs no secrets.
  public var respondsFromFiles: Bool {
    routes.withLock { routes in
      if case .replay = routes.cassette { return true }
      return !routes.stubs.isEmpty
    }
  }

  /// Replays or records a cassette from now on, depending on `mode`.
  /// - Parameter name: the path as the user wrote it, for messages.
  /// - Throws: ``SourceError`` for a file that cannot be read, parsed or created.
  public func insertCassette(
    _ path: String, as name: String? = nil, mode: CassetteMode = .auto,
    cancellation: Cancellation = Cancellation()
  ) throws(SourceError) {
    switch mode {
    case .replay: try replay(path, as: name, cancellation: cancellation)
    case .record: try record(path)
    case .auto where WholeFile.exists(path):
      try replay(path, as: name, cancellation: cancellation)
    case .auto: try record(path)
    }
  }

  /// Replays a cassette from now on.
  /// - Throws: ``SourceError`` for a file that cannot be read or parsed.
  public func replay(
    _ path: String, as name: String? = nil, cancellation: Cancellation = Cancellation()
  ) throws(SourceError) {
    let cassette = try CassetteReplay(path: path, name: name, cancellation: cancellation)
    routes.withLock { $0.cassette = .replay(cassette) }
  }

  /// Records the responses of the network on a cassette from now on.
  /// - Throws: ``SourceError`` if the file cannot be created, or is not a regular file.
  public func record(_ path: String) throws(SourceError) {
    do {
      try WholeFile.check(path)
    } catch {
      throw SourceError(error)
    }
    let cassette = CassetteRecorder(path: path, through: network)
    routes.withLock { $0.cassette = .recorder(cassette) }
  }

  /// The exchanges that no request used, for each cassette that is or was replayed, by its path.
  package var unusedExchanges: [String: Set<UnusedExchange>] {
    routes.withLock { routes in
      var routes = routes
      routes.noteUnusedExchanges()
      return routes.unused ?? [:]
    }
  }

  public func removeCassette() { routes.withLock { $0.cassette = nil } }
}

/// Whether a cassette is replayed or recorded.
public enum CassetteMode: String, CaseIterable, Sendable {
  /// Replays the file if it exists, and records it otherwise.
  case auto
  case replay
  /// Records, replacing an existing file.
  case record
}
