/// A script that is to be run, or the part of it at a line.
package struct TestJob: Sendable, Equatable {
  package let path: String
  /// The line that alone is judged, counted from 1; nil for all of the script.
  package var line: Int?

  package init(path: String, line: Int? = nil) {
    self.path = path
    self.line = line
  }

  /// As it is named on the command line.
  package var name: String { line.map { "\(path):\($0)" } ?? path }

  /// What a worker is told: its number, the line, the path, with an end that no path has.
  func message(_ number: Int) -> [UInt8] {
    Array("\(number) \(line ?? 0) \(path)".utf8) + [0]
  }

  /// - Parameter message: without its end.
  static func read(_ message: ArraySlice<UInt8>) -> (number: Int, job: TestJob)? {
    let parts = message.split(
      separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    let texts = parts.map { String(decoding: $0, as: UTF8.self) }
    guard texts.count == 3, let number = Int(texts[0]), let line = Int(texts[1]) else { return nil }
    return (number, TestJob(path: texts[2], line: line > 0 ? line : nil))
  }
}
