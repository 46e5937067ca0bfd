public import DataSources

/// Asks servers over HTTP and HTTPS, through libcurl, which is opened by the first request.
///
/// - Trust is the system's. `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the
///   environment are heeded. There are no cookies and no cache; at most 6 connections go to a host.
/// - Redirections are followed as far as ``TransferLimits/redirects`` allows. Secrets, logins,
///   `Authorization`, `Cookie` and `Proxy-Authorization` go to another scheme, host or port only
///   where http becomes https at the usual ports.
/// - Compressed bodies are decompressed. No more than half a megabyte waits for whoever reads a
///   body; a body nobody reads any more, or whose task ends, closes its connection.
public final class HTTPTransport: Transport {
  private let userAgent: String
  private let loop = TransferLoop()

  public init(userAgent: String = "dsshell") { self.userAgent = userAgent }

  deinit { loop.end() }

  /// - Throws: ``TransportError``: `badURL`, `network`, `timeout`, `limit`, `denied`, `cancelled`.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Curl.open()
    let start = ContinuousClock.now
    var hop = try Hop(request, userAgent: userAgent)
    var redirections = 0
    while true {
      var limits = request.limits
      limits.timeout -= start.duration(to: .now) / .seconds(1)
      let transfer = Transfer(hop, limits: limits, loop: loop)
      let head = try await transfer.begin()
      guard let location = head.redirection else {
        return Self.response(of: transfer, head: head)
      }
      await Self.leave(transfer, head: head)
      guard redirections < request.limits.redirects else {
        throw TransportError.limit(
          "`\(request.shownURL)` redirects more than \(redirections) times", setting: "redirects")
      }
      redirections += 1
      hop = try hop.redirected(to: location)
    }
  }

  /// Takes what is left of an answer that leads elsewhere, when that is little: then its connection
  /// can be used again, and is not broken off under a server that is still sending.
  private static func leave(_ transfer: Transfer, head: ResponseHead) async {
    if head.contentLength.map({ $0 <= 1 << 16 }) == true {
      while (try? await transfer.next()) != nil {}
    }
    transfer.stop()
  }

  private static func response(of transfer: Transfer, head: ResponseHead) -> TransportResponse {
    let reader = BodyReader(transfer: transfer)
    return TransportResponse(
      status: head.status, headers: head.headers, url: transfer.hop.shownURL,
      body: TransportBody { try await reader.transfer.next() })
  }

  /// Ends the transfer when nobody can read the body any more.
  private final class BodyReader: Sendable {
    let transfer: Transfer

    init(transfer: Transfer) { self.transfer = transfer }

    deinit { transfer.stop() }
  }
}
