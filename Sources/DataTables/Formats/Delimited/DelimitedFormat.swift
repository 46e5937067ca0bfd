/// Comma-separated values (RFC 4180); other delimiters are detected or given.
struct CSVFormat: TableFormat {
  static let names = ["csv"]
  static let extensions = ["csv", "txt", "dat", "psv"]
  static func matches(_ sample: [UInt8]) -> Bool { true }

  static func read(
    _ bytes: any ByteStore, options: ReadOptions, cancellation: Cancellation
  ) throws -> LoadedTable {
    try DelimitedReader(bytes, options: options, delimiter: UInt8(ascii: ","))
      .read(cancellation: cancellation)
  }
}

/// Tab-separated values, quoted as in CSV.
struct TSVFormat: TableFormat {
  static let names = ["tsv"]
  static let extensions = ["tsv", "tab"]
  static func matches(_ sample: [UInt8]) -> Bool { false }

  static func read(
    _ bytes: any ByteStore, options: ReadOptions, cancellation: Cancellation
  ) throws -> LoadedTable {
    try DelimitedReader(bytes, options: options, delimiter: UInt8(ascii: "\t"))
      .read(cancellation: cancellation)
  }
}

/// Sizes that control the reading of a text, in bytes.
struct ScanSizes: Sendable {
  /// In texts up to this size, the types of all columns are determined at load; in larger ones they
  /// are estimated from a sample, and a column's type is determined when the column is accessed.
  var exact = 1 << 20
  var sample = 256 << 10
  /// The part of the text that one worker scans at a time.
  var chunk = 4 << 20
  /// The part of a chunk that is in memory; it should fit the second-level cache.
  var window = 256 << 10
}

extension ScanSizes {
  /// The sizes for a text of `bytes`. Every worker should get several chunks: the smaller the
  /// chunks, the less time a worker is idle while others finish their last chunk.
  init(forTextOf bytes: Int) {
    chunk = min(chunk, max(chunk / 4, bytes / (Parallel.workers * 4)))
  }
}
