/// A compression format or an archive: bytes that hold a file of any format. Each codec has its own
/// file.
public protocol Codec: Sendable {
  /// The names that are shown and accepted; the first is shown: `gzip`.
  var names: [String] { get }
  /// File name extensions, lowercase. The rest of a file name is the name of the content:
  /// `people.csv.gz` contains `people.csv`.
  var extensions: [String] { get }
  var mediaTypes: [String] { get }

  /// Whether bytes that start with `sample` are compressed by this codec.
  func recognizes(_ sample: [UInt8]) -> Bool

  /// Decompresses all content.
  /// - Parameter receive: receives the content in pieces of limited size. An error that it throws
  ///   ends the decompression.
  /// - Throws: ``TableError``: `format` for corrupt or truncated bytes, with the byte;
  ///   `badArgument` for an archive of several files; `io` when a library is not installed.
  func decompress(
    _ input: CompressedInput, _ receive: (consuming [UInt8]) throws -> Void
  ) throws -> DecompressedContent

  /// Begins a compressed stream.
  /// - Parameter name: the name of the content, which an archive stores.
  /// - Throws: ``TableError/io(_:)`` when a library is not installed.
  func makeCompressor(contentName name: String) throws -> any Compressor
}

/// Compressed bytes and how to read them.
public struct CompressedInput: Sendable {
  public let bytes: any ByteStore
  /// The name of the file, which errors show.
  public let name: String
  /// The file to read in an archive; nil for the only one.
  public var member: String?
  /// Whether a file of this name probably holds a table; used to choose among the files of an
  /// archive.
  public var isTableName: @Sendable (String) -> Bool
  public var cancellation: Cancellation

  public init(
    _ bytes: any ByteStore, named name: String, member: String? = nil,
    isTableName: @escaping @Sendable (String) -> Bool = { _ in true },
    cancellation: Cancellation = Cancellation()
  ) {
    self.bytes = bytes
    self.name = name
    self.member = member
    self.isTableName = isTableName
    self.cancellation = cancellation
  }
}

/// Facts about content that was decompressed.
public struct DecompressedContent: Equatable, Sendable {
  /// The name that the compressed bytes give the content; nil if they give none.
  public var name: String?
  /// Notes for the user, one line each.
  public var notes: [String]

  public init(name: String? = nil, notes: [String] = []) {
    self.name = name
    self.notes = notes
  }
}

/// A stream that is being compressed. It is not used after ``finish()``.
public protocol Compressor: AnyObject {
  /// Compresses the next bytes and returns the output that is ready; often none.
  /// - Throws: ``TableError``.
  func compress(_ bytes: [UInt8]) throws -> [UInt8]

  /// Ends the stream and returns the rest of the output.
  /// - Throws: ``TableError``.
  func finish() throws -> [UInt8]
}
