import Foundation

/// A TLS server on 127.0.0.1 with a new certificate: `openssl s_server`.
///
/// A separate program tests the transport against a widely used implementation, and creates the
/// key, which must not be among the sources.
package final class TLSServer {
  /// `https://127.0.0.1:PORT/`
  package let url: String
  /// The file of its certificate, in PEM.
  package let certificate: String
  private let folder: URL
  private let process: Process

  /// - Throws: ``TestServerError`` if openssl does not start to listen, or an error if it cannot be
  ///   run.
  package init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("dsshell-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let key = folder.appendingPathComponent("key.pem").path
    certificate = folder.appendingPathComponent("certificate.pem").path
    let request = Self.openssl([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
      "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=dsshell",
      "-addext", "subjectAltName=IP:127.0.0.1",
    ])
    request.standardOutput = FileHandle.nullDevice
    try request.run()
    request.waitUntilExit()
    process = Self.openssl([
      "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", certificate, "-key", key,
    ])
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    guard let port = Self.port(in: output.fileHandleForReading) else {
      process.terminate()
      throw TestServerError.system("openssl s_server", errno: ECHILD)
    }
    url = "https://127.0.0.1:\(port)/"
  }

  deinit {
    // It may have inherited a mask that blocks other signals.
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }

  private static func openssl(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }

  /// The port in `ACCEPT 127.0.0.1:40123`.
  private static func port(in output: FileHandle) -> UInt16? {
    var text = ""
    while true {
      let bytes = output.availableData
      if bytes.isEmpty { return nil }
      text += String(decoding: bytes, as: UTF8.self)
      for line in text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1)
      where line.hasPrefix("ACCEPT") {
        return line.split(separator: ":").last.flatMap { UInt16($0) }
      }
    }
  }
}
