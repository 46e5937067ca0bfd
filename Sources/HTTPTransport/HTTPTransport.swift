import CCurl
public import DataSources
import Glibc

/// Sends requests over HTTP and HTTPS through libcurl, which the first request opens.
///
/// - It trusts the certificates of the system, or those in the file that the environment names in
///   `CURL_CA_BUNDLE` or `SSL_CERT_FILE`. It honors `http_proxy`, `https_proxy`, `all_proxy` and
///   `no_proxy` of the environment. It keeps no cookies and no cache, and opens at most 6
///   connections to a host. The wait for a free connection does not count toward the timeout of a
///   request.
/// - At most ``TransferLimits/redirects`` redirections of a GET are followed. Secrets, logins and headers
///   with the names of secrets, such as `Authorization` and `X-API-Key`, are sent only to the same
///   scheme, host and port, or from http to https on the same host at the default ports.
/// - A POST is not redirected; one that must not be repeated uses a connection of its own, because
///   libcurl sends a request again if a kept connection breaks before the response.
/// - Bodies in gzip and deflate are decompressed as they are read; a body that ends before its
///   compressed content is complete is a failure. At most half a megabyte of a body is buffered;
///   the connection closes when the body loses its reader or the task is canceled.
public final class HTTPTransport: Transport {
  private let userAgent: String
  private let certificates: String?
  private let loop = TransferLoop()

  /// - Parameter certificates: the PEM file of the trusted certificates; nil for those of the
  ///   environment or the system.
  public init(userAgent: String = "dsshell", certificates: String? = nil) {
    self.userAgent = userAgent
    self.certificates = certificates
  }

  deinit { loop.end() }

  /// As many requests side by side as a host has connections.
  public func policy(for request: TransportRequest) -> SendingPolicy {
    SendingPolicy(parallelRequests: RunningTransfers.connectionsPerHost)
  }

  /// - Throws: ``TransportError``: `badURL`, `network`, `timeout`, `limit`, `denied`, `cancelled`.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Curl.open()
    var hop = try Hop(request, userAgent: userAgent, certificates: certificates)
    var redirections: [Redirection] = []
    var spent = 0.0
    while true {
      var limits = request.limits
      limits.timeout -= spent
      let transfer = Transfer(hop, limits: limits, loop: loop)
      defer { QueueTime.current?.add(transfer.queueTime) }
      let head = try await transfer.begin()
      if let defect = head.defect {
        transfer.stop()
        throw TransportError.network(
          "\(transfer.hop.address.hostAndPort) \(defect)", isTransient: false)
      }
      guard request.body == nil, let location = head.redirection else {
        return Self.response(of: transfer, head: head, after: redirections)
      }
      await Self.finish(transfer, head: head)
      spent += transfer.age
      guard redirections.count < request.limits.redirects else {
        throw TransportError.limit(
          "`\(request.shownURL)` redirects more than \(redirections.count) times",
          setting: "redirects")
      }
      hop = try hop.redirected(to: location)
      redirections.append(Redirection(status: head.status, to: hop.shownURL))
    }
  }

  /// Reads the rest of a redirecting response if it is small, so that its connection can be reused
  /// and does not break while the server is still sending.
  private static func finish(_ transfer: Transfer, head: ResponseHead) async {
    if head.contentLength.map({ $0 <= 1 << 16 }) == true {
      while (try? await transfer.next()) != nil {}
    }
    transfer.stop()
  }

  private static func response(
    of transfer: Transfer, head: ResponseHead, after redirections: [Redirection]
  ) -> TransportResponse {
    let reader = BodyReader(transfer, head: head)
    return TransportResponse(
      status: head.status, headers: head.headers, url: transfer.hop.shownURL,
      redirections: redirections, body: TransportBody { try await reader.next() })
  }
}

/// The libcurl library, opened by the first request.
enum Curl {
  /// - Throws: ``TransportError/network(_:isTransient:)`` if it is not installed.
  static func open() throws(TransportError) {
    guard let failure = ccurl_open() else { return }
    let reason = String(cString: failure)
    throw .network(
      "HTTP needs libcurl, which cannot be opened: \(reason); install it (libcurl4 on Debian and "
        + "Ubuntu)", isTransient: false)
  }
}

/// The trusted certificates that the environment names instead of the system's.
enum TrustedCertificates {
  /// The variables of the program curl, which libcurl itself ignores; the first non-empty one
  /// counts.
  private static let variables = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"]

  /// The path of a file in PEM; nil for the system's.
  static func file(
    _ variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }
  ) -> String? {
    variables.lazy.compactMap(variable).first { !$0.isEmpty }
  }
}
