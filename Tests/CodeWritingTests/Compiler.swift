import Foundation

/// Runs the compilers of the toolchain.
enum Compiler {
  /// The folder of the repository.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL
  static let data = root.appending(path: "Tests/CodeWritingTests/Data")
  /// Texts that the scripts of the language compare with the output of `code`.
  static let recorded = root.appending(path: "Tests/DSInterpreterTests/Scripts/code")

  static func files(withExtension name: String, in folder: URL = recorded) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == name }.sorted { $0.path < $1.path }
  }

  /// A folder that exists during `body`.
  static func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "code-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }

  /// Runs a tool and returns what it printed, and its status.
  static func run(_ tool: String, _ arguments: [String]) throws -> (text: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (text, process.terminationStatus)
  }
}
