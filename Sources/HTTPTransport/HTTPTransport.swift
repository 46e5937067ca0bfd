public import DataSources

/// Asks servers over HTTP and HTTPS, through libcurl, which is opened by the first request.
///
/// - Trusted is who the system trusts, or whose certificates are in the file that `CURL_CA_BUNDLE` or
///   `SSL_CERT_FILE` of the environment names. `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the
///   environment are heeded. There are no cookies and no cache; at most 6 connections go to a host.
///   A request that waits until one is free has all of its time still before it.
/// - Redirections are followed as far as ``TransferLimits/redirects`` allows. Secrets, logins and
///   headers with the names of secrets, as `Authorization` and `X-API-Key`, go to another scheme,
///   host or port only where http becomes https at the usual ports.
/// - Bodies in gzip and deflate are decompressed as they are read; one that ends before its
///   compressed form does is broken off. No more than half a megabyte waits for whoever reads a
///   body; a body nobody reads any more, or whose task ends, closes its connection.
public final class HTTPTransport: Transport {
  private let userAgent: String
  private let certificates: String?
  private let loop = TransferLoop()

  /// - Parameter certificates: the file, in PEM, of those who are trusted; nil leaves that to the
  ///   environment and the system.
  public init(userAgent: String = "dsshell", certificates: String? = nil) {
    self.userAgent = userAgent
    self.certificates = certificates
  }

  deinit { loop.end() }

  /// - Throws: ``TransportError``: `badURL`, `network`, `timeout`, `limit`, `denied`, `cancelled`.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Curl.open()
    var hop = try Hop(request, userAgent: userAgent, certificates: certificates)
    var redirections = 0
    var spent = 0.0
    while true {
      var limits = request.limits
      limits.timeout -= spent
      let transfer = Transfer(hop, limits: limits, loop: loop)
      defer { QueueTime.current?.add(transfer.queueTime) }
      let head = try await transfer.begin()
      guard let location = head.redirection else {
        return Self.response(of: transfer, head: head)
      }
      await Self.leave(transfer, head: head)
      spent += transfer.age
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
    let reader = BodyReader(transfer, head: head)
    return TransportResponse(
      status: head.status, headers: head.headers, url: transfer.hop.shownURL,
      body: TransportBody { try await reader.next() })
  }
}
