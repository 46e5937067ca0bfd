import Foundation

/// A run of the program psql: another process that uses the server of the tests.
package final class PSQL {
  private let process = Process()

  /// Starts the program.
  package init(_ statement: String, at address: String) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["psql", address, "-qXv", "ON_ERROR_STOP=1", "-c", statement]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  /// Runs a statement, and waits for its end.
  /// - Returns: whether it succeeded within a few seconds.
  package static func run(_ statement: String, at address: String) async throws -> Bool {
    try await PSQL(statement, at: address).succeeds()
  }

  /// Whether the program ends with success within a few seconds.
  package func succeeds(within limit: Duration = .seconds(15)) async throws -> Bool {
    let end = ContinuousClock.now + limit
    while process.isRunning {
      guard ContinuousClock.now < end else { return false }
      try await Task.sleep(for: .milliseconds(10))
    }
    return process.terminationStatus == 0
  }
}
