import Glibc

/// A server on 127.0.0.1 that accepts connections and never answers.
final class SilentServer {
  let port: Int
  private let descriptor: Int32

  struct Failure: Error {}

  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &place) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, size) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, address, &size) == 0
      }
    }
    guard isListening else { throw Failure() }
    self.descriptor = descriptor
    port = Int(UInt16(bigEndian: place.sin_port))
  }

  deinit { close(descriptor) }
}
