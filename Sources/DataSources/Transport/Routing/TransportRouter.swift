public import DataTables
import Synchronization

/// Gives every request to the transport that is to answer it: a stub, else the cassette, else by
/// the scheme of the URL.
///
/// What is changed takes effect with the next request. Files are read where they are: neither a
/// cassette nor a refused network keeps from them.
public final class TransportRouter: Transport {
  private let routes: Mutex<Routes>
  private let network: NetworkRoute
  public let retry: Retry

  private struct Routes {
    var stubs: [StubTransport] = []
    var cassette: Cassette?
    var files: any Transport
  }

  /// A cassette that is in use.
  public enum Cassette: Sendable {
    case replay(CassetteReplay)
    case recorder(CassetteRecorder)

    public var path: String {
      switch self {
      case .replay(let cassette): cassette.path
      case .recorder(let cassette): cassette.path
      }
    }

    /// How many exchanges are on it.
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
  ///   - files: answers `file:` URLs.
  ///   - network: answers http and https; nil where there is no network.
  ///   - retry: how what breaks in mid body is asked for again, whoever answers.
  public init(
    files: any Transport, network: (any Transport)? = nil, retry: Retry = Retry()
  ) {
    self.retry = retry
    routes = Mutex(Routes(files: files))
    self.network = NetworkRoute(network)
  }

  /// - Throws: ``TransportError``: of the transport; `badURL` for a scheme that nothing answers.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await transport(for: request).send(request)
  }

  private func transport(for request: TransportRequest) throws -> any Transport {
    let url = RequestURL(request.sentURL)
    return try routes.withLock { routes throws(TransportError) -> any Transport in
      let matches = routes.stubs.compactMap { stub in stub.match(url).map { (stub, $0) } }
      if let stub = matches.max(by: { $0.1 < $1.1 })?.0 { return stub }
      // A file: URL has no host, and may do without the slashes before it.
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
  /// - Throws: ``TransportError/denied(_:)`` when there is a secret that cannot be sent.
  fileprivate func checkSecrets() throws(TransportError) {
    for case .missing(let symbol) in (query + headers).map(\.value) {
      throw .denied("`\(symbol)` has no value, and only a recording answers without it")
    }
  }
}

// The network.
extension TransportRouter {
  /// What answers http and https.
  public func setNetwork(_ transport: any Transport) { network.set(transport) }

  /// Whether nothing may be asked of a network, as in test runs: only stubs and cassettes answer.
  public var refusesNetwork: Bool {
    get { network.isRefused }
    set { network.refuse(newValue) }
  }
}

// Stubs.
extension TransportRouter {
  /// In the order in which they were added.
  public var stubs: [StubTransport] { routes.withLock { $0.stubs } }

  /// Adds a stub; one for the same URL goes.
  public func add(_ stub: StubTransport) {
    routes.withLock { routes in
      routes.stubs.removeAll { $0.asked == stub.asked }
      routes.stubs.append(stub)
    }
  }

  /// - Returns: Whether there was a stub for this URL.
  public func removeStub(for url: String) -> Bool {
    let asked = RequestURL(url)
    return routes.withLock { routes in
      let count = routes.stubs.count
      routes.stubs.removeAll { $0.asked == asked }
      return routes.stubs.count < count
    }
  }

  public func removeStubs() { routes.withLock { $0.stubs = [] } }
}

// Cassettes.
extension TransportRouter {
  /// The cassette that is in use.
  public var cassette: Cassette? { routes.withLock { $0.cassette } }

  /// Whether a cassette or a stub may answer, for which no secret is needed.
  public var answersFromFiles: Bool {
    routes.withLock { routes in
      if case .replay = routes.cassette { return true }
      return !routes.stubs.isEmpty
    }
  }

  /// Has a cassette answer from now on, or record, as `mode` says.
  /// - Throws: ``SourceError`` for a file that cannot be read, does not parse, or cannot be made.
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

  /// Has a cassette answer from now on.
  /// - Throws: ``SourceError`` for a file that cannot be read, or does not parse.
  public func replay(
    _ path: String, cancellation: Cancellation = Cancellation()
  ) throws(SourceError) {
    let cassette = try CassetteReplay(path: path, cancellation: cancellation)
    routes.withLock { $0.cassette = .replay(cassette) }
  }

  /// Has a cassette record what the network answers from now on.
  /// - Throws: ``SourceError`` when no file can be made there.
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
