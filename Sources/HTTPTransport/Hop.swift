import DataSources
import Glibc

/// One request on the wire: the first one, or one after a redirection.
struct Hop: Sendable {
  let address: WebAddress
  let headers: [RequestParameter]
  let body: RequestBody?
  /// The login; nil without one, or if it must not be sent to this host.
  let login: Login?
  /// The certificate of the client; nil without one, or if it must not be sent to this host.
  let clientCertificate: ClientCertificate?
  let userAgent: String
  /// The file of the trusted certificates; nil for the system's.
  let certificates: String?
  /// The time limit of the whole request, in seconds.
  let timeout: Double
  private let secrets: Secrets

  struct Login: Sendable {
    let user: String
    let password: String
    var isDigest = false
  }

  struct ClientCertificate: Sendable {
    let file: String
    /// nil if the file of the certificate has the key.
    let key: String?
    let password: String?

    /// Whether the file is in PKCS #12.
    var isArchive: Bool {
      ["p12", "pfx"].contains(file.split(separator: ".").last?.lowercased() ?? "")
    }

    /// Checks what libcurl ignores, or reports in the terms of OpenSSL.
    fileprivate func check(for address: WebAddress) throws(TransportError) {
      guard address.scheme == "https" else {
        throw .denied("`certificate:` needs a URL with `https:`")
      }
      for file in [file, key].compactMap(\.self) where access(file, R_OK) != 0 {
        throw .io(
          "cannot open \(file.split(separator: "/").last ?? ""): \(String(cString: strerror(errno)))"
        )
      }
    }
  }

  /// - Throws: ``TransportError/badURL(_:)``, ``TransportError/denied(_:)`` for invalid headers and for
  ///   a certificate without TLS, ``TransportError/io(_:)`` for a certificate that cannot be opened.
  init(
    _ request: TransportRequest, userAgent: String, certificates: String? = nil
  ) throws(TransportError) {
    for header in request.headers { try header.checkAsHeader() }
    address = try WebAddress(request.sentURL, shown: request.shownURL)
    headers = request.headers
    body = request.body
    timeout = request.limits.timeout
    self.userAgent = userAgent
    self.certificates = certificates ?? TrustedCertificates.file()
    secrets = Secrets(of: request)
    let identity = request.identity
    let user = identity.user?.sent ?? address.user
    let password = identity.password?.sent ?? address.password
    login =
      user == nil && password == nil
      ? nil
      : Login(
        user: user ?? "", password: password ?? "", isDigest: identity.scheme == .digest)
    clientCertificate = identity.certificate.map {
      ClientCertificate(
        file: $0, key: identity.certificateKey, password: identity.keyPassword?.sent)
    }
    if let clientCertificate { try clientCertificate.check(for: address) }
  }

  private init(_ address: WebAddress, after hop: Hop, keepsCredentials: Bool) {
    self.address = address
    body = hop.body
    headers = keepsCredentials ? hop.headers : hop.headers.filter { !$0.isCredential }
    login = keepsCredentials ? hop.login : nil
    clientCertificate = keepsCredentials ? hop.clientCertificate : nil
    userAgent = hop.userAgent
    certificates = hop.certificates
    timeout = hop.timeout
    secrets = hop.secrets
  }

  /// The headers that the request does not set itself: `Accept-Encoding`, and `Content-Type` for a
  /// body. If libcurl added `Accept-Encoding`, libcurl would also decompress bodies, and it accepts
  /// an incomplete body as complete.
  var ownHeaders: [RequestParameter] {
    var own = [RequestParameter("Accept-Encoding", .plain(ContentCoding.accepted))]
    // libcurl would declare the fields of a form.
    if let body { own.append(RequestParameter("Content-Type", .plain(body.mediaType))) }
    return own.filter { header in
      !headers.contains { $0.name.lowercased() == header.name.lowercased() }
    }
  }

  /// The request after a redirection. A request to another origin has no credentials, and neither
  /// does any request after it.
  /// - Throws: ``TransportError/badURL(_:)``.
  func redirected(to location: String) throws(TransportError) -> Hop {
    // Invalid characters are encoded as in a typed URL.
    let reference = TransportRequest(url: location).sentURL
    let shown =
      secrets.occur(in: location) ? "an address with a secret" : "`\(location.prefix(200))`"
    do {
      let next = try address.resolving(reference, shown: "")
      if next.isTrusted(by: address) { return Hop(next, after: self, keepsCredentials: true) }
      let url = secrets.removed(fromQueryOf: next.url)
      return Hop(try WebAddress(url, shown: ""), after: self, keepsCredentials: false)
    } catch {
      throw .badURL(
        "\(address.hostAndPort) redirects to \(shown), which is not a URL for http or https")
    }
  }

  /// The URL of the response without secrets, for resolving its links and for messages.
  var shownURL: String {
    let url = secrets.removed(fromQueryOf: address.url)
    return secrets.occur(in: url) ? "\(address.scheme)://\(address.hostAndPort)/" : url
  }
}

extension RequestParameter {
  /// Rejects an invalid name, and a control character in the value: a line break would begin
  /// another header.
  fileprivate func checkAsHeader() throws(TransportError) {
    let isName = name.utf8.allSatisfy {
      $0 > 0x20 && $0 < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains($0)
    }
    guard isName, !name.isEmpty else { throw .denied("`\(name)` is not a valid header name") }
    guard value.sent.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw .denied("the header `\(name)` contains a line break or another control character")
    }
  }
}

/// The secrets of a request, which are sent to its server only.
struct Secrets: Sendable {
  /// Plain and percent-encoded.
  private let texts: [String]

  init(of request: TransportRequest) {
    let parameters = request.query + request.headers + request.identity.secrets
    let secrets = parameters.compactMap { parameter -> String? in
      if case .secret(let text, _) = parameter.value, !text.isEmpty { text } else { nil }
    }
    texts = secrets + secrets.map(PercentEncoding.encoded)
  }

  func occur(in text: some StringProtocol) -> Bool { texts.contains { text.contains($0) } }

  /// Removes the query parameters that contain a secret.
  func removed(fromQueryOf url: String) -> String {
    guard occur(in: url), let mark = url.firstIndex(of: "?") else { return url }
    let parts = url[url.index(after: mark)...].split(separator: "&")
    let rest = parts.filter { !occur(in: $0) }
    return url[..<mark] + (rest.isEmpty ? "" : "?" + rest.joined(separator: "&"))
  }
}
