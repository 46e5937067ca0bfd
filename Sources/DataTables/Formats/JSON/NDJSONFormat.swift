/// One JSON value a line; blank lines are left out, and lines that are broken are rejected.
struct NDJSONFormat: TableFormat {
  static let names = ["ndjson", "jsonl"]
  static let extensions = ["ndjson", "jsonl"]

  /// Whether two values that nest stand on lines of their own.
  static func matches(_ sample: [UInt8]) -> Bool {
    let lines = sample.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
      .map { line in line.drop { JSONScanner.isSpace($0, false) } }
      .filter { !$0.isEmpty }
    guard lines.count > 1 else { return false }
    return lines.prefix(2).allSatisfy {
      $0.first == UInt8(ascii: "{") || $0.first == UInt8(ascii: "[")
    }
      && (try? JSONFormat.value(Array(lines[0]))) != nil
  }

  static func read(
    _ bytes: any ByteStore, options: ReadOptions, cancellation: Cancellation
  ) throws -> LoadedTable {
    try JSONDocument(bytes, layout: .lines, options: options, cancellation: cancellation).load()
  }
}
