/// A file format for tables: a value in a ``FormatTable``.
///
/// Each format has its own file. A module that depends on this one can define more formats.
public protocol TableFormat: Sendable {
  /// The names that `format:` accepts; the first is shown: `csv`.
  var names: [String] { get }
  /// File name extensions, lowercase, without the dot.
  var extensions: [String] { get }
  /// Media types, lowercase, without parameters; `+json` means all types with this suffix.
  var mediaTypes: [String] { get }
  /// The options that the format supports; a load with other options fails.
  var options: [ReadOption] { get }
  /// Whether a file of 0 bytes is valid and has no rows; false by default.
  var allowsEmptyFile: Bool { get }
  /// How tables are written in the format; nil, the default, if they cannot be.
  var writing: FormatWriting? { get }
  /// The suffixes of files beside a file that have a part of its content, such as `-wal`; empty by
  /// default.
  var companions: [String] { get }
  /// How certainly the first bytes of a file are in the format.
  func recognize(_ sample: FormatSample) -> Recognition
  /// Reads the rows.
  /// - Throws: ``TableError``, with the position of the error where the format has positions.
  func read(_ input: FormatInput) throws -> LoadedTable
}

extension TableFormat {
  public var name: String { names.first ?? "" }
  public var allowsEmptyFile: Bool { false }
  public var writing: FormatWriting? { nil }
  public var companions: [String] { [] }
}

/// How certainly the first bytes of a file are in a format, in ascending order.
public enum Recognition: Int, Comparable, Sendable {
  /// The bytes are not in the format.
  case impossible
  /// The bytes may be in the format, or in a malformed version of it, if the extension of the file
  /// is that of the format.
  case ifNamed
  /// The bytes may be in the format; it is used if no other format is more likely.
  case possible
  /// The bytes have the structure of the format, which other formats rarely have.
  case likely
  /// The bytes begin with a mark of the format, or with content that is valid in no other format.
  case certain

  public static func < (left: Recognition, right: Recognition) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The first bytes of a file, from which formats are recognized.
public struct FormatSample: Sendable {
  /// The name or path of the file; may be empty.
  public let name: String
  /// The bytes as they are in the file, at most ``size``.
  public let bytes: [UInt8]
  /// Whether ``bytes`` is the whole file.
  public let isWhole: Bool
  /// The bytes as UTF-8 without a byte order mark, possibly cut within a character; nil if they are
  /// not text.
  public let text: [UInt8]?

  public static let size = 64 << 10
}

/// A file to be read by a format.
public struct FormatInput: Sendable {
  /// The name or path of the file; may be empty.
  public let name: String
  /// The bytes as they are in the file.
  public let bytes: any ByteStore
  public var request: ReadRequest
  public let cancellation: Cancellation

  public var options: ReadOptions { request.options }

  public init(
    name: String, bytes: any ByteStore, request: ReadRequest = ReadRequest(),
    cancellation: Cancellation = Cancellation()
  ) {
    self.name = name
    self.bytes = bytes
    self.request = request
    self.cancellation = cancellation
  }

  /// The first bytes, from which formats are recognized.
  package func sample() throws -> FormatSample {
    try FormatSample(bytes, named: name, encoding: options.encoding)
  }

  /// Reads the file as text.
  ///
  /// - Parameter read: receives UTF-8 without a byte order mark. Offsets in the errors that it
  ///   throws are offsets in that text.
  /// - Throws: ``TableError/format(_:at:)`` for a file that is not text, and
  ///   ``TableError/encoding(expected:offset:fitting:)`` for bytes that are not in the encoding.
  public func withText(_ read: (any ByteStore) throws -> LoadedTable) throws -> LoadedTable {
    let text = try DecodedText.suggesting(bytes, encoding: options.encoding)
    if let place = try text.firstNUL() {
      let offset = try text.offset(of: place)
      if options.encoding == nil { try EncodingGuess.checkUTF16(bytes, firstNUL: offset) }
      throw TableError.format("not a text file: byte \(offset) is NUL", at: nil)
    }
    do {
      var loaded = try read(text.store)
      loaded.report.encoding = text.description
      return loaded
    } catch TableError.encoding(let expected, let position, let fitting) {
      let offset = try text.offset(of: position)
      if expected == TextEncoding.utf8.name {
        throw try TextEncoding.error(in: bytes, at: offset)
      }
      throw TableError.encoding(expected: expected, offset: offset, fitting: fitting)
    }
  }
}

extension FormatInput {
  /// Checks the size of a document that the format holds in memory as a whole.
  /// - Throws: ``TableError/limit(_:setting:at:)``.
  public func checkDocumentSize(_ size: Int? = nil) throws(TableError) {
    try options.limits.checkDocument(size: size ?? bytes.count)
  }
}

extension ReadLimits {
  /// Checks the size in bytes of a document that is held in memory as a whole.
  /// - Throws: ``TableError/limit(_:setting:at:)``.
  package func checkDocument(size: Int) throws(TableError) {
    guard size > document else { return }
    throw .limit(
      "the document has \(size.counted("byte")), more than \(document.grouped), and the format holds "
        + "it in memory", setting: "\(Self.documentLabel): \(size)", at: nil)
  }
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
