import DataTables

/// Decompresses files before a format reads them, however often they are compressed: a gzip file in
/// a zip archive.
struct Decompression: Sendable {
  let formats: FormatTable
  /// Receives the progress of reading large content; nil for no reports.
  var progress: Progress?

  /// A file that decompresses to itself exceeds every limit of the number of levels.
  private static let maxLevels = 4

  /// Content to be read by a format.
  struct Content {
    var bytes: any ByteStore
    /// The name of the file, or of the file in it.
    var name: String
    /// Without the options of the codecs.
    var options: ReadOptions
    /// The names of the codecs, the inner one first.
    var codecs: [String] = []
    var notes: [String] = []
    /// Writes `bytes`, which may be wrong until it has ended; nil if they are complete.
    var decompression: BackgroundDecompression?
  }

  /// The content of a file, decompressed if it is compressed. Large content whose size is declared
  /// is decompressed while it is read.
  /// - Throws: ``TableError``: `limit` for content that is too large, and the errors of codecs.
  func content(
    of bytes: any ByteStore, named name: String, options: ReadOptions, cancellation: Cancellation
  ) throws -> Content {
    var content = Content(bytes: bytes, name: name, options: options)
    var room = options.limits.decompressedSize(ofFileOf: bytes.count)
    while let codec = try formats.codec(
      of: content.bytes, named: content.name, options: content.options)
    {
      guard content.codecs.count < Self.maxLevels else {
        throw TableError.limit(
          "`\(name.lastPathComponent)` is compressed more than \(Self.maxLevels) times",
          setting: "", at: nil)
      }
      content = try complete(content)
      if !content.codecs.isEmpty { room -= content.bytes.count }
      try decompress(
        &content, with: codec, room: room, of: bytes.count, cancellation: cancellation)
    }
    return content
  }

  /// The content with all of its bytes. Waits until it is decompressed.
  /// - Throws: errors of the decompression.
  func complete(_ content: Content) throws -> Content {
    guard let outcome = try content.decompression?.wait() else { return content }
    var content = content
    content.bytes = counted(outcome.bytes, named: content.name)
    content.notes += outcome.notes
    content.decompression = nil
    return content
  }

  private func decompress(
    _ content: inout Content, with codec: any Codec, room: Int, of compressedSize: Int,
    cancellation: Cancellation
  ) throws {
    var member: String?
    if case .string(let name)? = content.options[.member] { member = name }
    let input = CompressedInput(
      content.bytes, named: content.name.lastPathComponent, member: member,
      isTableName: formats.isTableName, cancellation: cancellation)
    let job = CodecJob(
      codec: codec, input: input, room: room, compressedSize: compressedSize,
      setting: content.options.limits.decompressedSizeSetting(forFileOf: compressedSize))
    let inner: String?
    if let declared = try codec.declaration(of: input), Spool.memorySize < declared.size,
      declared.size <= room
    {
      let decompression = try BackgroundDecompression(size: declared.size) {
        try job.run($0).notes
      }
      content.decompression = decompression
      content.bytes = decompression.bytes
      inner = declared.name
    } else {
      let spool = BackgroundSpool()
      let facts = try job.run { try spool.append($0) }
      content.notes += facts.notes
      content.bytes = try spool.store()
      inner = facts.name
    }
    content.name = formats.contentName(ofFileNamed: content.name, codec: codec, inner: inner)
    if content.decompression == nil {
      content.bytes = counted(content.bytes, named: content.name)
    }
    content.options = content.options.removing(codec.options)
    content.codecs.insert(codec.name, at: 0)
  }

  /// Bytes that report the progress of passes over them if they are large.
  private func counted(_ bytes: any ByteStore, named name: String) -> any ByteStore {
    guard let progress, bytes.count > Spool.memorySize else { return bytes }
    return CountedBytes(bytes, named: name, progress: progress)
  }
}

extension Decompression {
  /// Reads content as a table; the report names the codecs.
  /// - Throws: ``TableError``.
  func table(
    of content: Content, request: ReadRequest, cancellation: Cancellation
  ) throws -> LoadedTable {
    if !content.codecs.isEmpty, content.bytes.count == 0,
      !formats.allowsEmptyFile(named: content.name, options: content.options)
    {
      throw TableError.format("the \(content.codecs[0]) content is empty", at: nil)
    }
    var request = request
    request.options = content.options
    let early = Result {
      try formats.read(
        content.bytes, named: content.name, request: request, cancellation: cancellation)
    }
    // An error of the decompression takes precedence over those of a format, which may result from it.
    let complete = try complete(content)
    var loaded =
      complete.bytes.count == content.bytes.count
      ? try early.get()
      : try formats.read(
        complete.bytes, named: complete.name, request: request, cancellation: cancellation)
    for codec in complete.codecs { loaded.report.format += " in \(codec)" }
    loaded.report.notes = complete.notes + loaded.report.notes
    return loaded
  }
}

extension FormatTable {
  /// Whether the format that the options or a file's name determine allows an empty file.
  func allowsEmptyFile(named name: String, options: ReadOptions) -> Bool {
    let format = options.format.map(named) ?? format(ofFileNamed: name)
    return format?.allowsEmptyFile ?? false
  }
}

/// One decompression and its limit.
private struct CodecJob: Sendable {
  let codec: any Codec
  let input: CompressedInput
  /// The maximum number of decompressed bytes.
  let room: Int
  /// The size of the file, for errors.
  let compressedSize: Int
  /// A label with a higher limit, which errors suggest.
  let setting: String

  /// - Throws: ``TableError``: `limit` for content that is too large, the errors of the codec, and
  ///   those of `receive`.
  func run(_ receive: (consuming [UInt8]) throws -> Void) throws -> DecompressedContent {
    var size = 0
    return try codec.decompress(input) { piece in
      size += piece.count
      guard size <= room else {
        throw TableError.limit(
          "`\(input.name)` has more than \(room.counted("byte")) after decompression from "
            + compressedSize.grouped,
          setting: setting, at: nil)
      }
      try receive(piece)
    }
  }
}
