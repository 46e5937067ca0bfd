import Foundation
import Glibc
import Testing

/// A run of `dsshell test` that tests can observe.
struct TestProcess {
  let folder: TemporaryFolder
  let process: ShellProcess

  init(_ folder: TemporaryFolder, _ arguments: String...) throws {
    try self.init(folder, arguments: arguments, environment: [:])
  }

  /// - Parameter arguments: the arguments after `test`; names of files in the folder become paths.
  init(
    _ folder: TemporaryFolder, arguments: [String], environment: [String: String]
  ) throws {
    self.folder = folder
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    process = try ShellProcess(
      ["test"] + arguments.map { Self.path($0, in: folder) }, environment: environment,
      streams: [
        .file("/dev/null", flags: O_RDONLY), .file(folder.path + "/output", flags: flags),
        .file(folder.path + "/errors", flags: flags),
      ])
  }

  static func path(_ argument: String, in folder: TemporaryFolder) -> String {
    // The files of reports have paths.
    if argument.contains("=") { return argument }
    let isFile = argument.hasSuffix(".ds") || argument.contains(".ds:") || argument.hasSuffix(".md")
    return isFile || argument == "." ? folder.path + "/" + argument : argument
  }

  var workers: [pid_t] { ShellProcess.children(of: process.identifier) }

  /// Waits until a worker reads a FIFO, and so runs the command that does.
  /// - Returns: a descriptor; closing it ends the FIFO.
  func waitForReader(of name: String) throws -> Int32 {
    for _ in 0..<20_000 {
      let descriptor = open(folder.path + "/" + name, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      if descriptor >= 0 { return descriptor }
      usleep(1000)
    }
    throw NoReader(name: name)
  }

  private struct NoReader: Error { let name: String }

  /// Waits for the end.
  func finish() throws -> ShellResult {
    let status = process.wait()
    return ShellResult(
      status: status, output: try folder.read("output").without(folder),
      errors: try folder.read("errors").without(folder))
  }
}

extension String {
  /// With file names relative to a folder, and without times.
  func without(_ folder: TemporaryFolder) -> String {
    replacingOccurrences(of: folder.path + "/", with: "")
      .replacingOccurrences(of: " in [0-9.]+ m?s", with: " in T", options: .regularExpression)
  }
}

/// Runs `dsshell test` to its end.
func dsshellTest(_ folder: TemporaryFolder, _ arguments: String...) throws -> ShellResult {
  let environment = ["XDG_CACHE_HOME": folder.path + "/cache"]
  return try TestProcess(folder, arguments: arguments, environment: environment).finish()
}
