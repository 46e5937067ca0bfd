import Foundation
import Glibc

/// A blocking socket on 127.0.0.1, with which a fault controls every byte that is sent.
struct LoopbackSocket: Sendable {
  let descriptor: Int32

  /// Listens on a free port.
  static func listening(backlog: Int32 = 64) throws -> (socket: LoopbackSocket, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw failure("socket") }
    var address = loopback(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, size) == 0 && listen(descriptor, backlog) == 0
          && getsockname(descriptor, address, &size) == 0
      }
    }
    guard isBound else {
      let failure = failure("bind")
      close(descriptor)
      throw failure
    }
    return (LoopbackSocket(descriptor: descriptor), UInt16(bigEndian: address.sin_port))
  }

  /// Starts to connect, and does not wait for the connection.
  static func connecting(to port: UInt16) throws -> LoopbackSocket {
    let kind = Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK
    let descriptor = socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw failure("socket") }
    var address = loopback(port: port)
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return LoopbackSocket(descriptor: descriptor)
  }

  /// Connects, and waits for the connection.
  static func connected(to port: UInt16) throws -> LoopbackSocket {
    let socket = try connecting(to: port)
    var polled = pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&polled, 1, 10_000) == 1, polled.revents & Int16(POLLERR | POLLHUP) == 0 else {
      socket.end()
      throw failure("connect")
    }
    _ = fcntl(socket.descriptor, F_SETFL, 0)
    return socket
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func failure(_ call: String) -> TestServerError { .system(call, errno: errno) }

  /// The next connection; nil when the socket was shut down.
  ///
  /// A process that a test starts in the meantime must not inherit the connection, which would then
  /// stay open as long as the process lives.
  func accepted() -> LoopbackSocket? {
    while true {
      let accepted = accept(descriptor, nil, nil)
      if accepted >= 0 {
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        return LoopbackSocket(descriptor: accepted)
      }
      // Errors such as a client that has left, or too many open files, are temporary.
      if errno == EINVAL || errno == EBADF { return nil }
      if errno == EMFILE || errno == ENFILE { usleep(1_000) }
    }
  }

  /// - Returns: false if the connection is closed.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        Glibc.send(
          descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Receives a head, up to the empty line; nil if the client left before, or speaks TLS.
  func receiveHead() -> String? {
    var head: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !head.ends(with: "\r\n\r\n") {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      head += buffer.prefix(count)
      if head.first == 0x16 { return nil }
    }
    return String(decoding: head, as: UTF8.self)
  }

  /// Waits for bytes; nil at the end of the connection.
  func receive() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer.prefix(count)) : nil
  }

  /// Waits until the client closes.
  func waitForEnd() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
  }

  /// Wakes the threads that wait on it.
  func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Closes the connection.
  func end() { close(descriptor) }

  /// Resets the connection: the other side receives an error instead of an end.
  func abort() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    close(descriptor)
  }
}

extension [UInt8] {
  fileprivate func ends(with text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}
