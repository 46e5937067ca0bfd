/// A compression format or an archive: bytes that hold a file of any format. Each codec has its own
/// file.
public protocol Codec: Sendable {
  /// The names that are shown and accepted; the first is shown: `gzip`.
  var names: [String] { get }
  /// File name extensions, lowercase. The rest of a file name is the name of the content:
  /// `people.csv.gz` contains `people.csv`.
  var extensions: [String] { get }
  var mediaTypes: [String] { get }
  /// The read options that the codec supports, in addition to those of the content's format.
  var options: [ReadOption] { get }

  /// Whether bytes that start with `sample` are compressed by this codec.
  func recognizes(_ sample: [UInt8]) -> Bool

  /// The statements of compressed bytes about their content; nil if they state no size. It may be
  /// wrong. Content is read while it is decompressed if its size is known in advance.
  /// - Throws: errors of the store. Corrupt bytes are errors of the decompression only.
  func declaration(of input: CompressedInput) throws -> ContentDeclaration?

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

extension Codec {
  public var name: String { names.first ?? "" }
  public var options: [ReadOption] { [] }

  public func declaration(of input: CompressedInput) throws -> ContentDeclaration? { nil }
}

extension ReadOption {
  public static let member = ReadOption(
    "member", .string, "file to read in an archive of several", example: "\"people.csv\"")
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

/// The statements of compressed bytes about their content.
public struct ContentDeclaration: Equatable, Sendable {
  /// The name that ``DecompressedContent/name`` will be.
  public var name: String?
  /// The size in bytes.
  public var size: Int

  public init(name: String?, size: Int) {
    self.name = name
    self.size = size
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

// Compressed files.
extension FormatTable {
  /// The codec whose extension a file name has.
  public func codec(ofFileNamed name: String) -> (any Codec)? {
    let name = name.lowercased()
    return codecs.first { codec in codec.extensions.contains { name.hasSuffix("." + $0) } }
  }

  /// Whether a file name has the extension of a format or codec.
  public func isTableName(_ name: String) -> Bool {
    format(ofFileNamed: name) != nil || codec(ofFileNamed: name) != nil
  }

  /// The codec of compressed bytes; nil if they are not compressed, and if a format reads them as
  /// they are, like a format whose files are zip archives.
  /// - Parameter options: as for reading the bytes.
  /// - Throws: ``TableError/format(_:at:)`` for an archive that is one document, unless a member is
  ///   requested, and errors of the store.
  public func codec(
    of bytes: any ByteStore, named name: String, options: ReadOptions
  ) throws -> (any Codec)? {
    let first = try bytes.bytes(0..<min(16, bytes.count))
    guard let codec = codecs.first(where: { $0.recognizes(first) }) else { return nil }
    let sample = try FormatSample(bytes, named: name, encoding: nil)
    if let format = options.format.flatMap(named) {
      return format.recognize(sample) >= .likely ? nil : codec
    }
    if let format = format(ofFileNamed: name), format.recognize(sample) >= .possible { return nil }
    if formats.contains(where: { $0.recognize(sample) == .certain }) { return nil }
    if !options.given.contains(ReadOption.member.name),
      let document = ForeignFormat.recognizeArchive(sample)
    {
      throw document.error(forFileAt: name)
    }
    return codec
  }

  /// The name of decompressed content: the name inside if it has an extension of this table, or
  /// else the file's name without the extension of the codec.
  /// - Parameter inner: the name that the compressed bytes give; nil for none.
  public func contentName(
    ofFileNamed name: String, codec: any Codec, inner: String?
  ) -> String {
    if let inner, isTableName(inner) { return inner }
    guard let suffix = codec.extensions.first(where: { name.lowercased().hasSuffix("." + $0) })
    else { return inner ?? name }
    let stem = String(name.dropLast(suffix.count + 1))
    return isTableName(stem) ? stem : inner ?? stem
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
