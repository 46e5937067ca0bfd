import CCurl
import DataSources
import Glibc

/// A transfer in libcurl. Only for the thread of ``TransferLoop``.
final class EasyHandle {
  let easy: UnsafeMutableRawPointer
  let transfer: Transfer
  private let words: UnsafeMutablePointer<CChar>
  private var headers: UnsafeMutableRawPointer?

  /// Returns nil if there is no memory.
  init?(_ transfer: Transfer) {
    guard let easy = ccurl_easy_new() else { return nil }
    self.easy = easy
    self.transfer = transfer
    words = .allocate(capacity: Int(CCURL_ERROR_SIZE))
    words.initialize(repeating: 0, count: Int(CCURL_ERROR_SIZE))
    setHop(transfer.hop)
    setLimits(transfer.limits)
    setReceivers()
  }

  deinit {
    ccurl_easy_free(easy)
    ccurl_list_free(headers)
    words.deallocate()
  }

  private func setHop(_ hop: Hop) {
    ccurl_set_text(easy, CCURL_URL, hop.address.url)
    ccurl_set_number(easy, CCURL_PROTOCOLS, Int(CCURL_HTTP_AND_HTTPS))
    if let login = hop.login {
      ccurl_set_text(easy, CCURL_USERNAME, login.user)
      ccurl_set_text(easy, CCURL_PASSWORD, login.password)
    }
    for header in hop.headers + hop.ownHeaders {
      // libcurl sends a header without a value only if it ends in a semicolon.
      let value = header.value.sent
      let line = value.isEmpty ? "\(header.name);" : "\(header.name): \(value)"
      if let longer = ccurl_list_append(headers, line) { headers = longer }
    }
    ccurl_set_pointer(easy, CCURL_HTTPHEADER, headers)
    ccurl_set_text(easy, CCURL_USERAGENT, hop.userAgent)
    if let file = hop.certificates { ccurl_set_text(easy, CCURL_CAINFO, file) }
    ccurl_set_number(easy, CCURL_HTTP09_ALLOWED, 0)
    // A proxy's response to CONNECT is not the response.
    ccurl_set_number(easy, CCURL_SUPPRESS_CONNECT_HEADERS, 1)
  }

  private func setLimits(_ limits: TransferLimits) {
    ccurl_set_number(easy, CCURL_CONNECTTIMEOUT_MS, Self.milliseconds(limits.connectTimeout))
    ccurl_set_number(easy, CCURL_TIMEOUT_MS, Self.milliseconds(limits.timeout))
    ccurl_set_number(easy, CCURL_NOSIGNAL, 1)
    ccurl_set_number(easy, CCURL_BUFFERSIZE, 32 << 10)
  }

  /// libcurl takes 0 for no limit.
  private static func milliseconds(_ seconds: Double) -> Int {
    let longest = Double(Int32.max)
    return seconds.isNaN ? 1 : Int(max(1, min(longest, seconds * 1000)))
  }

  private func setReceivers() {
    let context = Unmanaged.passUnretained(transfer).toOpaque()
    ccurl_set_pointer(easy, CCURL_ERRORBUFFER, words)
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
      case .taken: return piece.count
      case .later: return Int(CCURL_PAUSE)
      // Returning a count other than the received one ends the transfer.
      case .refused: return piece.isEmpty ? 1 : 0
      }
    }
  }

  func goOn() { _ = ccurl_go_on(easy) }

  /// libcurl's description of the last failure; nil without one.
  var detail: String? {
    let text = String(cString: words)
    return text.isEmpty ? nil : text
  }

  func number(_ info: Int32) -> Int {
    var number = 0
    _ = ccurl_get_number(easy, info, &number)
    return number
  }

  /// Whether there was a connection, and TLS on it, so that the request could be sent.
  var hadConnection: Bool {
    var time: Int64 = 0
    _ = ccurl_get_microseconds(easy, CCURL_PRETRANSFER_TIME, &time)
    return time > 0
  }
}

extension EasyHandle {
  /// The error for a result code of libcurl; nil for success.
  func failure(_ code: Int32) -> TransportError? {
    let place = transfer.hop.address.place
    switch code {
    case CCURL_OK: return nil
    case CCURL_URL_MALFORMAT,
      CCURL_UNSUPPORTED_PROTOCOL where !hadConnection:
      return .badURL("`\(transfer.hop.shownURL)` is not a valid URL for a request")
    case CCURL_COULDNT_RESOLVE_HOST:
      return .network("there is no host `\(transfer.hop.address.host)`", isTransient: false)
    case CCURL_COULDNT_RESOLVE_PROXY:
      return .network(
        "there is no host of the name that the environment gives as proxy", isTransient: false)
    case CCURL_COULDNT_CONNECT: return .network(noConnection, isTransient: true)
    case CCURL_OPERATION_TIMEDOUT: return timeout
    case CCURL_GOT_NOTHING:
      return .network("\(place) closed the connection without a response", isTransient: true)
    case CCURL_PARTIAL_FILE:
      return .network("\(place) closed the connection in mid body", isTransient: true)
    case CCURL_UNSUPPORTED_PROTOCOL, CCURL_WEIRD_SERVER_REPLY:
      return .network("\(place) does not respond in HTTP", isTransient: false)
    case CCURL_SSL_CONNECT_ERROR, CCURL_SSL_CERTPROBLEM, CCURL_SSL_CIPHER,
      CCURL_PEER_FAILED_VERIFICATION, CCURL_SSL_CACERT_BADFILE, CCURL_SSL_ISSUER_ERROR,
      CCURL_SSL_INVALIDCERTSTATUS:
      return .network("no secure connection to \(place): \(words(code))", isTransient: false)
    default: return otherFailure(code)
    }
  }

  private func otherFailure(_ code: Int32) -> TransportError {
    let place = transfer.hop.address.place
    let connectCode = number(CCURL_CONNECT_CODE)
    if connectCode >= 300 {
      return .network(
        "the proxy returned \(connectCode) to a connection with \(place)", isTransient: false)
    }
    let isDrop = [CCURL_SEND_ERROR, CCURL_RECV_ERROR, CCURL_HTTP2, CCURL_HTTP2_STREAM].contains(
      code)
    let what = transfer.isAnswered ? "in mid body" : "before a response was received"
    return isDrop
      ? .network("the connection to \(place) broke \(what): \(words(code))", isTransient: true)
      : .network("the request to \(place) failed: \(words(code))", isTransient: false)
  }

  private func words(_ code: Int32) -> String {
    detail ?? ccurl_words(code).map { String(cString: $0) } ?? "error \(code)"
  }

  /// The error of a failed connection, with the name of the server or proxy.
  private var noConnection: String {
    let reason = number(CCURL_OS_ERROR)
    let because =
      reason == 0
      ? "" : strerror(Int32(truncatingIfNeeded: reason)).map { ": " + String(cString: $0) } ?? ""
    return "could not connect to \(connectionPlace)\(because)"
  }

  /// Parsed from libcurl's words, `Failed to connect to HOST port PORT …`: nothing else names the
  /// proxy that it used.
  private var connectionPlace: String {
    let own = transfer.hop.address.place
    guard let detail, let start = detail.firstRange(of: "Failed to connect to ") else { return own }
    let parts = detail[start.upperBound...].split(separator: " ", maxSplits: 3)
    guard parts.count >= 3, parts[1] == "port" else { return own }
    let host = parts[0].contains(":") ? "[\(parts[0])]" : String(parts[0])
    let place = "\(host.lowercased()):\(parts[2].prefix { $0.isNumber })"
    return place == own ? own : "the proxy \(place)"
  }

  private var timeout: TransportError {
    let place = transfer.hop.address.place
    let limits = transfer.limits
    if transfer.isAnswered {
      return .timeout(
        "the response of \(place) did not end within \(seconds(transfer.hop.timeout))",
        seconds: transfer.hop.timeout)
    }
    let isConnecting = !hadConnection && limits.connectTimeout < limits.timeout
    let limit = isConnecting ? limits.connectTimeout : transfer.hop.timeout
    let what = hadConnection ? "did not respond" : "did not take the connection"
    return .timeout("\(place) \(what) within \(seconds(limit))", seconds: limit)
  }

  private func seconds(_ seconds: Double) -> String {
    let whole = seconds.rounded()
    return whole == seconds && abs(whole) < 1e15 ? "\(Int(whole)) s" : "\(seconds) s"
  }
}
