import Glibc

/// A connection to 127.0.0.1 that sends any bytes, as a browser never would.
final class RawConnection: Sendable {
  private let descriptor: Int32

  init(port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  deinit { close(descriptor) }

  func send(_ text: String) {
    _ = text.withCString { Glibc.send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
  }

  /// Reads until a text arrives, or to the end.
  ///
  /// Polls: a read that blocks would occupy a thread on which servers run.
  func read(until wanted: String? = nil) async -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let end = ContinuousClock.now + .seconds(90)
    while ContinuousClock.now < end {
      let count = recv(descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
      if count == 0 { break }
      if count < 0 {
        guard errno == EAGAIN else { break }
        try? await Task.sleep(for: .milliseconds(5))
        continue
      }
      bytes += chunk.prefix(count)
      if let wanted, String(decoding: bytes, as: UTF8.self).contains(wanted) { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A response as it arrived.
struct RawResponse {
  let status: Int
  let head: String
  let body: String

  init(_ text: String) {
    let lines = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    head = String(lines.first ?? "")
    body = lines.count > 1 ? String(lines[1]) : ""
    status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }
}
