import DataSources

/// One request as it goes over the wire: the first, or one that a redirection asked for.
struct Hop: Sendable {
  let address: WebAddress
  let headers: [RequestParameter]
  /// Of the URL; nil when there is none, or where it must not go.
  let login: Login?
  let userAgent: String
  /// The file of those who are trusted; nil for the system's.
  let certificates: String?
  /// Seconds, of the whole request.
  let timeout: Double
  private let secrets: Secrets

  struct Login: Sendable {
    let user: String
    let password: String
  }

  /// - Throws: ``TransportError/badURL(_:)``, ``TransportError/denied(_:)`` for headers that cannot
  ///   be sent.
  init(
    _ request: TransportRequest, userAgent: String, certificates: String? = nil
  ) throws(TransportError) {
    for header in request.headers { try header.checkAsHeader() }
    address = try WebAddress(request.sentURL, shown: request.shownURL)
    headers = request.headers
    timeout = request.limits.timeout
    self.userAgent = userAgent
    self.certificates = certificates ?? TrustedCertificates.file()
    secrets = Secrets(of: request)
    login =
      if address.user == nil && address.password == nil { nil } else {
        Login(user: address.user ?? "", password: address.password ?? "")
      }
  }

  private init(_ address: WebAddress, after hop: Hop, keepsCredentials: Bool) {
    self.address = address
    headers = keepsCredentials ? hop.headers : hop.headers.filter { !$0.isCredential }
    login = keepsCredentials ? hop.login : nil
    userAgent = hop.userAgent
    certificates = hop.certificates
    timeout = hop.timeout
    secrets = hop.secrets
  }

  /// What is told beside the headers of the request, where these do not say otherwise. libcurl is not
  /// asked to do it, for then it would decode bodies as well, and takes half of one for whole.
  var ownHeaders: [RequestParameter] {
    let isSaid = headers.contains { $0.name.lowercased() == "accept-encoding" }
    return isSaid ? [] : [RequestParameter("Accept-Encoding", .plain(ContentCoding.accepted))]
  }

  /// What to ask next. Elsewhere nothing follows that could be a credential, and never again.
  /// - Throws: ``TransportError/badURL(_:)``.
  func redirected(to location: String) throws(TransportError) -> Hop {
    // What may not stand in a URL is mended as in one that is typed.
    let reference = TransportRequest(url: location).sentURL
    let shown = secrets.areIn(location) ? "an address with a secret" : "`\(location.prefix(200))`"
    do {
      let next = try address.resolving(reference, shown: "")
      if next.isTrusted(by: address) { return Hop(next, after: self, keepsCredentials: true) }
      let url = secrets.removed(fromQueryOf: next.url)
      return Hop(try WebAddress(url, shown: ""), after: self, keepsCredentials: false)
    } catch {
      throw .badURL("\(address.place) redirects to \(shown), which is no URL for http or https")
    }
  }

  /// Where the answer comes from: for eyes, and for resolving what it refers to.
  var shownURL: String {
    let url = secrets.removed(fromQueryOf: address.url)
    return secrets.areIn(url) ? "\(address.scheme)://\(address.place)/" : url
  }
}

extension RequestParameter {
  /// A line break would begin another header.
  fileprivate func checkAsHeader() throws(TransportError) {
    let isName = name.utf8.allSatisfy {
      $0 > 0x20 && $0 < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains($0)
    }
    guard isName, !name.isEmpty else { throw .denied("`\(name)` is no name of a header") }
    guard value.sent.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw .denied("the header `\(name)` holds a line break or another control character")
    }
  }
}
