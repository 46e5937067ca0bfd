import Foundation

/// Database servers of one test, which may stop them. They end with the value.
///
/// Starting them takes about half a second. Such a test has the traits of its servers too, because
/// they are installed where those of all tests run.
package final class OwnServers {
  private let folder: String
  /// Their addresses, which stay the same when a server is started again.
  package private(set) var databases = TestDatabases([:])

  /// - Parameter names: `postgres`, `clickhouse`.
  package init(_ names: String...) throws {
    folder = FileManager.default.temporaryDirectory.path + "/dsshell-servers-" + UUID().uuidString
    databases = TestDatabases(Self.variables(in: try run("start", names)))
  }

  deinit { _ = try? run("stop", []) }

  /// Starts servers that do not run, with the data that they had.
  /// - Parameter names: `postgres`, `shard1` to `shard3`, `clickhouse`.
  package func start(_ names: String...) throws { _ = try run("start", names) }

  /// Stops servers in an orderly way.
  package func stop(_ names: String...) throws { _ = try run("stop", names) }

  /// Ends servers as a crash does.
  package func kill(_ names: String...) throws { _ = try run("kill", names) }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// - Returns: the output of `Scripts/servers`.
  private func run(_ verb: String, _ names: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = [Self.script, verb] + names
    var environment = ProcessInfo.processInfo.environment
    environment["DSSHELL_SERVERS"] = folder
    environment["DSSHELL_SERVERS_PORT"] = nil
    process.environment = environment
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let message = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: String(decoding: message, as: UTF8.self))
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static let script =
    #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }
    + "/Scripts/servers"

  /// The variables of lines such as `export NAME=VALUE`.
  private static func variables(in text: String) -> [String: String] {
    var variables: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let words = line.dropFirst("export ".count).split(separator: "=", maxSplits: 1)
      if words.count == 2 { variables[String(words[0])] = String(words[1]) }
    }
    return variables
  }
}
