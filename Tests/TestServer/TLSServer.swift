import Foundation

/// A TLS server on 127.0.0.1 with a new certificate: `openssl s_server`.
///
/// A separate program tests the transport against a widely used implementation.
package final class TLSServer: Sendable {
  /// A certificate that signs itself.
  package enum Certificate: Sendable {
    case valid
    case expired
    /// For another host.
    case foreign
  }

  /// How the connection ends after an answer: with the end of TLS, or without it.
  package enum Ending: Sendable { case close, abort, none }

  /// The bytes that the server sends after the first request, whatever it is.
  package struct Answer: Sendable {
    package var bytes: [UInt8]
    package var ending: Ending
    /// Whether it is an answer of HTTP/2, in frames.
    package var isHTTP2 = false

    package init(_ bytes: [UInt8], _ ending: Ending) { (self.bytes, self.ending) = (bytes, ending) }
  }

  /// `https://127.0.0.1:PORT/`
  package let url: String
  /// The file of its certificate, in PEM.
  package let certificate: String
  private let folder: URL
  private let process: pid_t

  /// - Parameters:
  ///   - answer: nil for a page about the connection, to every request.
  ///   - options: further options of `openssl s_server`.
  /// - Throws: ``TestServerError`` if openssl does not start to listen, or an error if it cannot be
  ///   run.
  package init(
    _ kind: Certificate = .valid, answer: Answer? = nil, options: [String] = []
  ) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("dsshell-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    certificate = folder.appendingPathComponent("certificate.pem").path
    let key = folder.appendingPathComponent("key.pem").path
    try Self.make(kind, certificate, key, in: folder.path)
    let server = OpenSSL.command(
      ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key]
        + (answer == nil ? ["-www"] : ["-naccept", "1"])
        + (answer?.isHTTP2 == true ? ["-alpn", "h2"] : []) + options)
    let (input, output) = (Pipe(), Pipe())
    if answer != nil { server.standardInput = input }
    server.standardOutput = output
    try server.run()
    process = server.processIdentifier
    guard let port = Self.port(in: output.fileHandleForReading) else {
      server.terminate()
      throw TestServerError.system("openssl s_server", errno: ECHILD)
    }
    url = "https://127.0.0.1:\(port)/"
    guard let answer else { return }
    Thread.detachNewThread { [process] in
      // Openssl may end first.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      Self.waitForRequest(output.fileHandleForReading, isHTTP2: answer.isHTTP2)
      try? input.fileHandleForWriting.write(contentsOf: answer.bytes)
      if answer.ending == .none { return }
      // Openssl has to send the bytes first.
      Thread.sleep(forTimeInterval: 0.1)
      if answer.ending == .abort { kill(process, SIGKILL) }
      try? input.fileHandleForWriting.close()
    }
  }

  deinit {
    // It may have inherited a mask that blocks other signals.
    kill(process, SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }

  private static func make(
    _ kind: Certificate, _ certificate: String, _ key: String, in folder: String
  ) throws {
    let names = kind == .foreign ? "DNS:elsewhere.invalid" : "IP:127.0.0.1"
    let request = folder + "/request.pem"
    try OpenSSL.run(["req"] + OpenSSL.newKey(key) + ["-out", request, "-subj", "/CN=dsshell"])
    try Data("subjectAltName=\(names)\n".utf8)
      .write(to: URL(fileURLWithPath: folder + "/names"))
    try OpenSSL.run([
      "x509", "-req", "-in", request, "-signkey", key, "-out", certificate, "-days",
      kind == .expired ? "-1" : "2", "-extfile", folder + "/names",
    ])
  }

  /// Reads the first request: up to an empty line, or the frame of its headers.
  private static func waitForRequest(_ output: FileHandle, isHTTP2: Bool) {
    var bytes: [UInt8] = []
    let end = Array(isHTTP2 ? "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8 : "\r\n\r\n".utf8)
    while let piece = try? output.read(upToCount: 1), !piece.isEmpty {
      bytes += piece
      if !isHTTP2, bytes.suffix(end.count) == end[...] { return }
      if isHTTP2, let start = bytes.firstRange(of: end)?.upperBound,
        hasHeaders(bytes[start...])
      {
        return
      }
    }
  }

  /// Whether a whole frame of headers is among frames.
  private static func hasHeaders(_ frames: ArraySlice<UInt8>) -> Bool {
    var frames = frames
    while frames.count >= 9 {
      let head = Array(frames.prefix(9))
      let count = 9 + Int(head[0]) << 16 + Int(head[1]) << 8 + Int(head[2])
      guard frames.count >= count else { return false }
      if head[3] == 1 { return true }
      frames = frames.dropFirst(count)
    }
    return false
  }

  /// The port in `ACCEPT 127.0.0.1:40123`.
  private static func port(in output: FileHandle) -> UInt16? {
    var line = ""
    while let byte = try? output.read(upToCount: 1), !byte.isEmpty {
      guard byte != Data("\n".utf8) else {
        if line.hasPrefix("ACCEPT") {
          return line.split(separator: ":").last.flatMap { UInt16($0) }
        }
        line = ""
        continue
      }
      line += String(decoding: byte, as: UTF8.self)
    }
    return nil
  }
}
