import CCurl
import DataSources
import Glibc

/// A transfer as libcurl knows it. Only for the thread of ``TransferLoop``.
final class EasyHandle {
  let easy: UnsafeMutableRawPointer
  let transfer: Transfer
  private let words: UnsafeMutablePointer<CChar>
  private var headers: UnsafeMutableRawPointer?

  /// nil when there is no memory.
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
      // The form with a semicolon is how libcurl is told that a header is sent without a value.
      let value = header.value.sent
      let line = value.isEmpty ? "\(header.name);" : "\(header.name): \(value)"
      if let longer = ccurl_list_append(headers, line) { headers = longer }
    }
    ccurl_set_pointer(easy, CCURL_HTTPHEADER, headers)
    ccurl_set_text(easy, CCURL_USERAGENT, hop.userAgent)
    if let file = hop.certificates { ccurl_set_text(easy, CCURL_CAINFO, file) }
    ccurl_set_number(easy, CCURL_HTTP09_ALLOWED, 0)
    // A proxy's answer to CONNECT is not the answer.
    ccurl_set_number(easy, CCURL_SUPPRESS_CONNECT_HEADERS, 1)
  }

  private func setLimits(_ limits: TransferLimits) {
    ccurl_set_number(easy, CCURL_CONNECTTIMEOUT_MS, Self.milliseconds(limits.connectTimeout))
    ccurl_set_number(easy, CCURL_TIMEOUT_MS, Self.milliseconds(limits.timeout))
    ccurl_set_number(easy, CCURL_NOSIGNAL, 1)
    ccurl_set_number(easy, CCURL_BUFFERSIZE, 32 << 10)
  }

  /// 0 would be no limit at all.
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
      // Any other number than was given ends the transfer.
      case .refused: return piece.isEmpty ? 1 : 0
      }
    }
  }

  func goOn() { _ = ccurl_go_on(easy) }

  /// What libcurl says about the last failure; nil when it said nothing.
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
