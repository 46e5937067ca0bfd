import Foundation

/// A process of its own that runs a statement, because connections of one process share their locks.
enum ChildProgram {
  private static let script = """
    import sqlite3, sys
    for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(*row)
    """

  static func run(_ statement: String, _ path: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, path, statement]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}
