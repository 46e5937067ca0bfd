import Foundation

/// The program `openssl`, which makes keys and certificates: keys must not be among the sources.
enum OpenSSL {
  /// Runs a command to its end.
  /// - Throws: ``TestServerError`` if it fails.
  static func run(_ arguments: [String]) throws {
    let process = command(arguments)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw TestServerError.system("openssl \(arguments[0])", errno: ECHILD)
    }
  }

  /// A command that has not started.
  static func command(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }

  /// The arguments that make a key in a file.
  static func newKey(_ file: String) -> [String] {
    ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", file]
  }
}
