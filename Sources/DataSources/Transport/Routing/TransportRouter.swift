public import DataTables
import Synchronization

/// Sends each request to a stub that matches its URL; without one, to the cassette or the network.
///
/// A changed setting applies from the next request on. Requests for `file:` URLs always read the
/// file: stubs, cassettes and a refused network do not affect them.
public final class TransportRouter: Transport {
  private let routes: Mutex<Routes>
  private let network: NetworkRoute
  public let retry: Retry

  private struct Routes {
    var stubs: [StubTransport] = []
    var cassette: Cassette?
    var files: any Transport
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
  ///   - retry: the retry policy for connections that break in the middle of a body.
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
    try await transport(for: request).send(request)
  }

  private func transport(for request: TransportRequest) throws -> any Transport {
    let url = RequestURL(request.sentURL)
    return try routes.withLock { routes throws(TransportError) -> any Transport in
      let matches = routes.stubs.compactMap { stub in stub.match(url).map { (stub, $0) } }
      if let stub = matches.max(by: { $0.1 < $1.1 })?.0 { return stub }
      // A `file:` URL has no host and may lack the slashes.
      switch URLParts(request.url).scheme ?? "" {
      case "http", "https":
        if case .replay(let cassette) = routes.cassette { return cassette }
        try request.checkSecrets()
        return routes.cassette?.transport ?? network
      case "file": return routes.files
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
    for case .missing(let symbol) in (query + headers).map(\.value) {
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
  /// - Throws: ``SourceError`` for a file that cannot be read, parsed or created.
  public func insertCassette(
    _ path: String, mode: CassetteMode = .auto, cancellation: Cancellation = Cancellation()
  ) throws(SourceError) {
    switch mode {
    case .replay: try replay(path, cancellation: cancellation)
    case .record: try record(path)
    case .auto where WholeFile.exists(path): try replay(path, cancellation: cancellation)
    case .auto: try record(path)
    }
  }

  /// Replays a cassette from now on.
  /// - Throws: ``SourceError`` for a file that cannot be read or parsed.
  public func replay(
    _ path: String, cancellation: Cancellation = Cancellation()
  ) throws(SourceError) {
    let cassette = try CassetteReplay(path: path, cancellation: cancellation)
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
