import CCurl
import DataSources
import Glibc

extension EasyHandle {
  /// What the code of libcurl means for whoever asked; nil when all went well.
  func failure(_ code: Int32) -> TransportError? {
    let place = transfer.hop.address.place
    switch code {
    case CCURL_OK: return nil
    case CCURL_URL_MALFORMAT,
      CCURL_UNSUPPORTED_PROTOCOL where !hadConnection:
      return .badURL("`\(transfer.hop.shownURL)` is no URL that can be asked")
    case CCURL_COULDNT_RESOLVE_HOST:
      return .network("there is no host `\(transfer.hop.address.host)`", isTransient: false)
    case CCURL_COULDNT_RESOLVE_PROXY:
      return .network(
        "there is no host of the name that the environment gives as proxy", isTransient: false)
    case CCURL_COULDNT_CONNECT: return .network(noConnection, isTransient: true)
    case CCURL_OPERATION_TIMEDOUT: return timeout
    case CCURL_GOT_NOTHING:
      return .network("\(place) closed the connection without an answer", isTransient: true)
    case CCURL_PARTIAL_FILE:
      return .network("\(place) closed the connection in mid body", isTransient: true)
    case CCURL_BAD_CONTENT_ENCODING:
      return .network("\(place) sent a body that cannot be decompressed", isTransient: false)
    case CCURL_UNSUPPORTED_PROTOCOL, CCURL_WEIRD_SERVER_REPLY:
      return .network("\(place) does not answer in HTTP", isTransient: false)
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
        "the proxy answered \(connectCode) to a connection with \(place)", isTransient: false)
    }
    let isDrop = [CCURL_SEND_ERROR, CCURL_RECV_ERROR, CCURL_HTTP2, CCURL_HTTP2_STREAM].contains(
      code)
    let what = transfer.isAnswered ? "in mid body" : "before an answer came"
    return isDrop
      ? .network("the connection to \(place) broke \(what): \(words(code))", isTransient: true)
      : .network("the request to \(place) failed: \(words(code))", isTransient: false)
  }

  private func words(_ code: Int32) -> String {
    detail ?? ccurl_words(code).map { String(cString: $0) } ?? "error \(code)"
  }

  /// Names whom the connection was for: a proxy, when there is one.
  private var noConnection: String {
    let reason = number(CCURL_OS_ERROR)
    let because =
      reason == 0
      ? "" : strerror(Int32(truncatingIfNeeded: reason)).map { ": " + String(cString: $0) } ?? ""
    return "could not connect to \(connectionPlace)\(because)"
  }

  /// As libcurl writes it, `Failed to connect to HOST port PORT …`; there is no other way to know
  /// which proxy it took.
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
        "the answer of \(place) did not end within \(seconds(transfer.hop.timeout))",
        seconds: transfer.hop.timeout)
    }
    let isConnecting = !hadConnection && limits.connectTimeout < limits.timeout
    let limit = isConnecting ? limits.connectTimeout : transfer.hop.timeout
    let what = hadConnection ? "did not answer" : "did not take the connection"
    return .timeout("\(place) \(what) within \(seconds(limit))", seconds: limit)
  }

  private func seconds(_ seconds: Double) -> String {
    let whole = seconds.rounded()
    return whole == seconds && abs(whole) < 1e15 ? "\(Int(whole)) s" : "\(seconds) s"
  }
}
