import CCurl
import DataSources
import Glibc

/// A transfer in libcurl. Used only on the thread of ``TransferLoop``.
final class EasyHandle {
  let easy: UnsafeMutableRawPointer
  let transfer: Transfer
  /// The buffer for the description of a failure.
  private let errorBuffer: UnsafeMutablePointer<CChar>
  private var headers: UnsafeMutableRawPointer?

  /// Returns nil if memory is exhausted.
  init?(_ transfer: Transfer) {
    guard let easy = ccurl_easy_new() else { return nil }
    self.easy = easy
    self.transfer = transfer
    errorBuffer = .allocate(capacity: Int(CCURL_ERROR_SIZE))
    errorBuffer.initialize(repeating: 0, count: Int(CCURL_ERROR_SIZE))
    setHop(transfer.hop)
    setLimits(transfer.limits)
    setReceivers()
  }

  deinit {
    ccurl_easy_free(easy)
    ccurl_list_free(headers)
    errorBuffer.deallocate()
  }

  private func setHop(_ hop: Hop) {
    ccurl_set_text(easy, CCURL_URL, hop.address.url)
    ccurl_set_number(easy, CCURL_PROTOCOLS, Int(CCURL_HTTP_AND_HTTPS))
    if let login = hop.login {
      ccurl_set_text(easy, CCURL_USERNAME, login.user)
      ccurl_set_text(easy, CCURL_PASSWORD, login.password)
      ccurl_set_number(
        easy, CCURL_HTTPAUTH, Int(login.isDigest ? CCURL_AUTH_DIGEST : CCURL_AUTH_BASIC))
    }
    if let certificate = hop.clientCertificate { setCertificate(certificate) }
    for header in hop.headers + hop.ownHeaders {
      // libcurl sends a header without a value only if it ends in a semicolon.
      let value = header.value.sent
      let line = value.isEmpty ? "\(header.name);" : "\(header.name): \(value)"
      append(headerLine: line)
    }
    if let body = hop.body { setBody(body) }
    ccurl_set_pointer(easy, CCURL_HTTPHEADER, headers)
    ccurl_set_text(easy, CCURL_USERAGENT, hop.userAgent)
    if let file = hop.certificates { ccurl_set_text(easy, CCURL_CAINFO, file) }
    ccurl_set_number(easy, CCURL_HTTP09_ALLOWED, 0)
    // A proxy's response to CONNECT is not the response of the server.
    ccurl_set_number(easy, CCURL_SUPPRESS_CONNECT_HEADERS, 1)
  }

  private func setCertificate(_ certificate: Hop.ClientCertificate) {
    ccurl_set_text(easy, CCURL_SSLCERT, certificate.file)
    if certificate.isArchive { ccurl_set_text(easy, CCURL_SSLCERTTYPE, "P12") }
    if let key = certificate.key { ccurl_set_text(easy, CCURL_SSLKEY, key) }
    if let password = certificate.password { ccurl_set_text(easy, CCURL_KEYPASSWD, password) }
  }

  private func setBody(_ body: RequestBody) {
    // Without this line, libcurl waits for the server's consent before it sends a large body.
    append(headerLine: "Expect:")
    ccurl_set_number(easy, CCURL_POST, 1)
    ccurl_set_number(easy, CCURL_POSTFIELDSIZE, body.bytes.count)
    // Without an address, libcurl would read the body from elsewhere; an empty array may have none.
    (body.bytes.isEmpty ? [0] : body.bytes).withUnsafeBytes { bytes in
      let copied = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
      _ = ccurl_set_pointer(easy, CCURL_COPYPOSTFIELDS, copied)
    }
    if !body.isRepeatable { ccurl_set_number(easy, CCURL_FRESH_CONNECT, 1) }
  }

  private func append(headerLine line: String) {
    if let longer = ccurl_list_append(headers, line) { headers = longer }
  }

  private func setLimits(_ limits: TransferLimits) {
    ccurl_set_number(easy, CCURL_CONNECTTIMEOUT_MS, Self.milliseconds(limits.connectTimeout))
    ccurl_set_number(easy, CCURL_TIMEOUT_MS, Self.milliseconds(limits.timeout))
    ccurl_set_number(easy, CCURL_NOSIGNAL, 1)
    ccurl_set_number(easy, CCURL_BUFFERSIZE, 32 << 10)
  }

  /// Converts seconds to milliseconds, at least 1, because 0 means no limit to libcurl.
  private static func milliseconds(_ seconds: Double) -> Int {
    let longest = Double(Int32.max)
    return seconds.isNaN ? 1 : Int(max(1, min(longest, seconds * 1000)))
  }

  private func setReceivers() {
    let context = Unmanaged.passUnretained(transfer).toOpaque()
    ccurl_set_pointer(easy, CCURL_ERRORBUFFER, errorBuffer)
    ccurl_set_pointer(easy, CCURL_HEADERDATA, context)
    ccurl_set_receiver(easy, CCURL_HEADERFUNCTION) { bytes, size, count, context in
      guard let context else { return 0 }
      let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
      return transfer.receive(headerLine: line) ? line.count : 0
    }
    ccurl_set_pointer(easy, CCURL_WRITEDATA, context)
    ccurl_set_receiver(easy, CCURL_WRITEFUNCTION) { bytes, size, count, context in
      guard let context else { return 0 }
      let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
      switch transfer.receive(piece) {
      case .accepted: return piece.count
      case .paused: return Int(CCURL_PAUSE)
      // Any count other than the received one ends the transfer.
      case .rejected: return piece.isEmpty ? 1 : 0
      }
    }
  }

  func resume() { _ = ccurl_resume(easy) }

  /// libcurl's description of the last failure; nil without one.
  var detail: String? {
    let text = String(cString: errorBuffer)
    return text.isEmpty ? nil : text
  }

  func number(_ info: Int32) -> Int {
    var number = 0
    _ = ccurl_get_number(easy, info, &number)
    return number
  }

  /// Whether the connection was established, with TLS if needed, so that the request could be sent.
  var hadConnection: Bool {
    var time: Int64 = 0
    _ = ccurl_get_microseconds(easy, CCURL_PRETRANSFER_TIME, &time)
    return time > 0
  }
}

extension EasyHandle {
  /// The error for a result code of libcurl; nil for success.
  func failure(_ code: Int32) -> TransportError? {
    let server = transfer.hop.address.hostAndPort
    switch code {
    case CCURL_OK: return nil
    case CCURL_URL_MALFORMAT,
      CCURL_UNSUPPORTED_PROTOCOL where !hadConnection:
      return .badURL("`\(transfer.hop.shownURL)` is not a valid URL for a request")
    case CCURL_COULDNT_RESOLVE_HOST:
      return .network("unknown host `\(transfer.hop.address.host)`", isTransient: false)
    case CCURL_COULDNT_RESOLVE_PROXY:
      return .network(
        "unknown host of the proxy in the environment", isTransient: false)
    case CCURL_COULDNT_CONNECT: return .network(noConnection, isTransient: true)
    case CCURL_OPERATION_TIMEDOUT: return timeout
    case CCURL_GOT_NOTHING:
      return .network("\(server) closed the connection without a response", isTransient: true)
    case CCURL_PARTIAL_FILE:
      return .network("\(server) closed the connection in mid body", isTransient: true)
    // libcurl has no other code for a header that exceeds its buffer.
    case CCURL_OUT_OF_MEMORY where !transfer.hasResponse,
      CCURL_TOO_LARGE where !transfer.hasResponse:
      return .network("\(server) sends a header that is too large", isTransient: false)
    case CCURL_UNSUPPORTED_PROTOCOL, CCURL_WEIRD_SERVER_REPLY:
      return .network("\(server) does not respond in HTTP", isTransient: false)
    case CCURL_SSL_CONNECT_ERROR, CCURL_SSL_CERTPROBLEM, CCURL_SSL_CIPHER,
      CCURL_PEER_FAILED_VERIFICATION, CCURL_SSL_CACERT_BADFILE, CCURL_SSL_ISSUER_ERROR,
      CCURL_SSL_INVALIDCERTSTATUS:
      return .network(
        "no secure connection to \(server): \(description(of: code))", isTransient: false)
    default: return otherFailure(code)
    }
  }

  private func otherFailure(_ code: Int32) -> TransportError {
    let server = transfer.hop.address.hostAndPort
    let connectCode = number(CCURL_CONNECT_CODE)
    if connectCode >= 300 {
      return .network(
        "the proxy returned \(connectCode) to a connection with \(server)", isTransient: false)
    }
    let isDrop = [CCURL_SEND_ERROR, CCURL_RECV_ERROR, CCURL_HTTP2, CCURL_HTTP2_STREAM].contains(
      code)
    let phase = transfer.hasResponse ? "in mid body" : "before a response was received"
    return isDrop
      ? .network(
        "the connection to \(server) broke \(phase): \(description(of: code))", isTransient: true)
      : .network("the request to \(server) failed: \(description(of: code))", isTransient: false)
  }

  private func description(of code: Int32) -> String {
    detail ?? ccurl_description(code).map { String(cString: $0) } ?? "error \(code)"
  }

  /// The message for a failed connection, with the name of the server or proxy.
  private var noConnection: String {
    let reason = number(CCURL_OS_ERROR)
    let cause =
      reason == 0
      ? "" : strerror(Int32(truncatingIfNeeded: reason)).map { ": " + String(cString: $0) } ?? ""
    return "could not connect to \(connectedServer)\(cause)"
  }

  /// The server or proxy that failed, parsed from `Failed to connect to HOST port PORT …`: libcurl
  /// names the proxy nowhere else.
  private var connectedServer: String {
    let server = transfer.hop.address.hostAndPort
    guard let detail, let start = detail.firstRange(of: "Failed to connect to ") else {
      return server
    }
    let parts = detail[start.upperBound...].split(separator: " ", maxSplits: 3)
    guard parts.count >= 3, parts[1] == "port" else { return server }
    let host = parts[0].contains(":") ? "[\(parts[0])]" : String(parts[0])
    let connected = "\(host.lowercased()):\(parts[2].prefix { $0.isNumber })"
    return connected == server ? server : "the proxy \(connected)"
  }

  private var timeout: TransportError {
    let server = transfer.hop.address.hostAndPort
    let limits = transfer.limits
    if transfer.hasResponse {
      return .timeout(
        "the response of \(server) did not end within \(transfer.hop.timeout.writtenAsSeconds)",
        seconds: transfer.hop.timeout)
    }
    let isConnecting = !hadConnection && limits.connectTimeout < limits.timeout
    let limit = isConnecting ? limits.connectTimeout : transfer.hop.timeout
    let what = hadConnection ? "did not respond" : "did not accept the connection"
    return .timeout("\(server) \(what) within \(limit.writtenAsSeconds)", seconds: limit)
  }
}
