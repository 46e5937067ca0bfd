/// A way to write tables as bytes: one file each, and one line in ``TableFormats/all``.
public protocol TableFormat: Sendable {
  /// The words for `format:`, the first of which is shown: `csv`.
  static var names: [String] { get }
  /// File name extensions, lowercase.
  static var extensions: [String] { get }
  /// Whether bytes that begin like this, with no extension to go by, are of this format.
  static func matches(_ sample: [UInt8]) -> Bool
  /// Reads the rows of `bytes`, which are UTF-8 without a BOM; decodes no column yet.
  /// - Throws: ``TableError``.
  static func read(
    _ bytes: any ByteStore, options: ReadOptions, cancellation: Cancellation
  ) throws -> LoadedTable
}

/// A table and what was found when it was loaded.
public struct LoadedTable: Sendable {
  public let table: any Table
  public var report: LoadReport
  public init(table: any Table, report: LoadReport) {
    self.table = table
    self.report = report
  }
}

/// The formats that can be read.
public enum TableFormats {
  public static let all: [any TableFormat.Type] = []

  /// Reads `bytes` in the format that the options, the extension of `name` or a look at the bytes
  /// tell, in that order.
  /// - Throws: ``TableError``.
  public static func read(
    _ bytes: any ByteStore, named name: String, options: ReadOptions = ReadOptions(),
    cancellation: Cancellation = Cancellation()
  ) throws -> LoadedTable {
    throw TableError.format("no format reads this", at: nil)
  }
}
