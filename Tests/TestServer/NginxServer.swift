import Foundation
package import Testing

/// nginx on 127.0.0.1 in front of another server: HTTP/2 over TLS, with a certificate of an authority
/// that is made for it, and bodies compressed with gzip.
///
/// A separate program tests the transport against a server that many APIs run behind.
package final class NginxServer {
  /// `https://127.0.0.1:PORT`
  package let url: String
  /// The file of the certificate of the authority, in PEM.
  package let authority: String
  /// The file of a client's certificate of the same authority, and that of its key.
  package let client: (certificate: String, key: String)
  private let folder: URL
  private let process: Process

  /// The program; nil if it is not installed.
  private static let program =
    (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { "\($0)/nginx" }.first(where: isProgram)
    ?? ["/usr/sbin/nginx"].first(where: isProgram)

  private static func isProgram(_ path: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: path)
  }

  package static var isInstalled: Bool { program != nil }

  /// - Parameter backend: the URL of the server to which requests are passed.
  /// - Throws: ``TestServerError`` if nginx or openssl does not work.
  package init(before backend: String) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("dsshell-nginx-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.path
    authority = path + "/authority.pem"
    client = (path + "/client.pem", path + "/client-key.pem")
    try Self.makeCertificates(in: path)
    // Another process may take the free port before nginx does.
    for _ in 0..<20 {
      let port = try UnansweredPort.refusing()
      try Data(Self.configuration(in: path, port: port, backend: backend).utf8)
        .write(to: folder.appendingPathComponent("nginx.conf"))
      if let process = try Self.start(in: path, port: port) {
        self.process = process
        url = "https://127.0.0.1:\(port)"
        return
      }
    }
    throw TestServerError.system("nginx", errno: ECHILD)
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// An authority, and the certificates that it signs for the server and a client.
  private static func makeCertificates(in folder: String) throws {
    try Data("subjectAltName=IP:127.0.0.1\n".utf8)
      .write(to: URL(fileURLWithPath: folder + "/names"))
    try OpenSSL.run(
      ["req", "-x509"] + OpenSSL.newKey("\(folder)/authority-key.pem") + [
        "-out", "\(folder)/authority.pem", "-days", "2", "-subj", "/CN=dsshell tests",
      ])
    for name in ["server", "client"] {
      try OpenSSL.run(
        ["req"] + OpenSSL.newKey("\(folder)/\(name)-key.pem") + [
          "-out", "\(folder)/\(name)-request.pem", "-subj", "/CN=\(name)",
        ])
      try OpenSSL.run([
        "x509", "-req", "-in", "\(folder)/\(name)-request.pem", "-CA", "\(folder)/authority.pem",
        "-CAkey", "\(folder)/authority-key.pem", "-set_serial", "1", "-days", "2", "-extfile",
        "\(folder)/names", "-out", "\(folder)/\(name).pem",
      ])
    }
  }

  /// - Returns: the process when it accepts connections; nil if it has ended.
  private static func start(in folder: String, port: UInt16) throws -> Process? {
    let process = Process()
    process.executableURL = program.map { URL(fileURLWithPath: $0) }
    process.arguments = [
      "-p", folder, "-c", folder + "/nginx.conf", "-e", folder + "/error.log",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    while process.isRunning {
      if FileManager.default.fileExists(atPath: folder + "/pid") { return process }
      usleep(5_000)
    }
    return nil
  }

  // One process, which ends with its test.
  private static func configuration(in folder: String, port: UInt16, backend: String) -> String {
    let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "  \($0)_temp_path \(folder)/\($0);\n" }.joined()
    return """
      daemon off;
      master_process off;
      pid \(folder)/pid;
      events { worker_connections 64; }
      http {
        access_log off;
      \(folders)
        gzip on;
        gzip_types application/json;
        gzip_min_length 1;
        gzip_proxied any;
        server {
          listen 127.0.0.1:\(port) ssl http2;
          ssl_certificate \(folder)/server.pem;
          ssl_certificate_key \(folder)/server-key.pem;
          ssl_client_certificate \(folder)/authority.pem;
          ssl_verify_client optional;
          add_header X-Protocol $server_protocol;
          add_header X-Client $ssl_client_verify;
          location / {
            proxy_pass \(backend);
            proxy_http_version 1.1;
            proxy_set_header Connection "";
          }
        }
      }

      """
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test or the suite unless nginx is installed.
  package static var requiresNginx: Self {
    .enabled(if: NginxServer.isInstalled, "needs nginx: apt-get install nginx")
  }
}
