import Glibc
import Testing

/// `serve` in processes: when the page ends, and that the program ends.
@Suite struct ServeProcessTests {
  private static let commands = "let a = simple [Pie, Tea]; serve a"

  @Test func aScriptThatEndsEndsThePage() throws {
    let result = try dsshell("-c", Self.commands)
    #expect(result.status == 0)
    #expect(result.output.contains("\na: http://127.0.0.1:"))
    #expect(result.errors == "")
  }

  @Test func waitKeepsServingUntilCtrlC() throws {
    let folder = try TemporaryFolder()
    let session = try TerminalSession(
      ["-c", Self.commands + " wait: true; print \"after\""],
      environment: ["HOME": folder.path, "NO_COLOR": "1"], width: 200)
    try session.expect("http://")
    // The rest of the script runs first.
    try session.expect("after\r\n")
    usleep(300_000)
    session.send(SIGINT)
    let (status, rest) = try session.end()
    #expect(status == 0)
    #expect(!rest.contains("error"))
  }

  @Test func quitEndsAllStreamsOfEvents() throws {
    let folder = try TemporaryFolder()
    let session = try TerminalSession.prompt(in: folder, width: 200)
    session.type(Self.commands + "\r")
    try session.expect("http://127.0.0.1:")
    let parts = try session.expect("/\r\n").split(separator: "/")
    try session.expect("ds> ")
    let port = try #require(UInt16(parts[0]))
    let path = "/\(parts[1])/events?after=0"
    let streams = try (0..<5).map { _ in try OpenStream(port: port, path: path) }
    session.type("quit\r")
    let (status, _) = try session.end()
    #expect(status == 0)
    for stream in streams {
      #expect(stream.rest?.contains("{\"type\":\"ended\"}\n\n") == true)
    }
  }

  @Test func aLackOfDescriptorsDoesNotEndThePage() throws {
    let session = try TerminalSession(
      program: "/bin/sh",
      [
        "-c", "ulimit -n 40; exec \"$0\" -c \"$1\"", ShellProcess.binary,
        Self.commands + " wait: true",
      ],
      environment: ["HOME": "/proc/nonexistent", "NO_COLOR": "1"], width: 200)
    try session.expect("http://127.0.0.1:")
    let parts = try session.expect("/\r\n").split(separator: "/")
    let port = try #require(UInt16(parts[0]))
    let path = "/\(parts[1])/events?after=0"
    do {
      let connections = (0..<60).compactMap { _ in try? OpenStream(port: port, head: "GET / HT") }
      #expect(!connections.isEmpty)
    }
    var stream: OpenStream?
    for _ in 0..<200 where stream == nil {
      stream = try? OpenStream(port: port, path: path)
      usleep(50_000)
    }
    #expect(stream != nil)
    session.send(SIGINT)
    let (status, _) = try session.end()
    #expect(status == 0)
  }
}

/// A connection that receives the events of a page.
private final class OpenStream {
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

  /// The next bytes; none at the end, nil if nothing arrives for long.
  private func read() -> [UInt8]? {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, 20_000) > 0 else { return nil }
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    return Array(chunk.prefix(max(0, count)))
  }
}
