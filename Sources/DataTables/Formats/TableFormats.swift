/// A file format for tables. Each format has its own file and an entry in ``TableFormats/all``.
public protocol TableFormat: Sendable {
  /// The names that `format:` accepts; the first is shown: `csv`.
  static var names: [String] { get }
  /// File name extensions, lowercase.
  static var extensions: [String] { get }
  /// Whether bytes that start with `sample` are in this format; used if the extension does not
  /// determine the format.
  static func matches(_ sample: [UInt8]) -> Bool
  /// Whether the format supports ``ReadOptions/keyPath``; false by default.
  static var supportsKeyPath: Bool { get }
  /// Reads the rows of `bytes`, which are UTF-8 without a byte order mark.
  /// - Throws: ``TableError``.
  static func read(
    _ bytes: any ByteStore, options: ReadOptions, cancellation: Cancellation
  ) throws -> LoadedTable
}

extension TableFormat {
  public static var supportsKeyPath: Bool { false }
}

/// A table and the report of its load.
public struct LoadedTable: Sendable {
  public let table: any Table
  public var report: LoadReport
  /// The values requested in addition to the rows, by key path; missing values are left out.
  public var extraValues: [ObjectKeyPath: Value] = [:]

  public init(table: any Table, report: LoadReport) {
    self.table = table
    self.report = report
  }
}

/// The formats that can be read.
public enum TableFormats {
  /// All formats, in the order in which detection tries them.
  public static let all: [any TableFormat.Type] = [
    JSONFormat.self, NDJSONFormat.self, TSVFormat.self, CSVFormat.self,
  ]

  /// Reads `bytes` in the format given by the options, the extension of `name`, or the bytes, in
  /// that order.
  /// - Throws: ``TableError``.
  public static func read(
    _ bytes: any ByteStore, named name: String, options: ReadOptions = ReadOptions(),
    cancellation: Cancellation = Cancellation()
  ) throws -> LoadedTable {
    let text = try DecodedText(bytes, encoding: options.encoding)
    let format = try format(of: text.sample, named: name, options: options)
    if let place = text.firstNUL {
      throw TableError.format(
        "not a text file: byte \(text.offset(of: place)) is NUL", at: nil)
    }
    if options.keyPath != nil, !format.supportsKeyPath {
      let name = format.names.first ?? ""
      throw TableError.badArgument("`keyPath:` needs a JSON document; this is \(name)")
    }
    do {
      var loaded = try format.read(text.store, options: options, cancellation: cancellation)
      loaded.report.encoding = text.description
      return loaded
    } catch TableError.encoding(let expected, let offset, let fitting) {
      throw TableError.encoding(
        expected: expected, offset: text.offset(of: offset), fitting: fitting)
    }
  }

  /// The format with a name that `format:` accepts.
  public static func named(_ name: String) -> (any TableFormat.Type)? {
    all.first { $0.names.contains(name.lowercased()) }
  }

  private static func format(
    of sample: [UInt8], named name: String, options: ReadOptions
  ) throws -> any TableFormat.Type {
    if let word = options.format {
      guard let format = named(word) else {
        let names = all.compactMap { $0.names.first }.joined(separator: ", ")
        throw TableError.badArgument("unknown format `\(word)`; expected \(names)")
      }
      return format
    }
    let file = name.lowercased()
    let byExtension = all.first { $0.extensions.contains { file.hasSuffix(".\($0)") } }
    if let format = byExtension ?? all.first(where: { $0.matches(sample) }) { return format }
    throw TableError.format("unrecognized format; add `format:`", at: nil)
  }
}
