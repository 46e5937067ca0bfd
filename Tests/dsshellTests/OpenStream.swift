import Glibc

/// A connection that receives the events of a page.
final class OpenStream {
  private let descriptor: Int32

  convenience init(port: UInt16, path: String) throws {
    try self.init(port: port, head: "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
    var bytes: [UInt8] = []
    while !String(decoding: bytes, as: UTF8.self).contains("retry") {
      guard let next = read(), !next.isEmpty else { throw Refused() }
      bytes += next
    }
  }

  /// Sends a head, without a wait for the response.
  init(port: UInt16, head: String) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { throw Refused() }
    _ = head.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
  }

  private struct Refused: Error {}

  deinit { close(descriptor) }

  /// The text up to the end of the connection; nil if the server does not close it.
  var rest: String? {
    var bytes: [UInt8] = []
    while let next = read() {
      if next.isEmpty { return String(decoding: bytes, as: UTF8.self) }
      bytes += next
    }
    return nil
  }

  /// Reads what has arrived.
  func skip() {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while recv(descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT)) > 0 {}
  }

  /// The next bytes; none at the end, nil if nothing arrives for long.
  private func read() -> [UInt8]? {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, 20_000) > 0 else { return nil }
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    return Array(chunk.prefix(max(0, count)))
  }
}
