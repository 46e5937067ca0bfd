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
  }

  /// The content of a file, decompressed if it is compressed.
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
      try decompress(&content, with: codec, room: &room, of: bytes.count, cancellation)
    }
    return content
  }

  private func decompress(
    _ content: inout Content, with codec: any Codec, room: inout Int, of compressedSize: Int,
    _ cancellation: Cancellation
  ) throws {
    var member: String?
    if case .string(let name)? = content.options[.member] { member = name }
    let name = content.name.lastPathComponent
    let input = CompressedInput(
      content.bytes, named: name, member: member, isTableName: formats.isTableName,
      cancellation: cancellation)
    let spool = BackgroundSpool()
    let facts = try codec.decompress(input) { piece in
      guard piece.count <= room else {
        throw TableError.limit(
          "`\(name)` has more than \(spool.count + room) bytes after decompression from "
            + "\(compressedSize)",
          setting: ReadLimits.decompressedSizeLabel, at: nil)
      }
      room -= piece.count
      try spool.append(piece)
    }
    content.name = formats.contentName(
      ofFileNamed: content.name, codec: codec, content: facts)
    content.options = content.options.removing(codec.options)
    content.codecs.insert(codec.name, at: 0)
    content.notes += facts.notes
    let isLarge = spool.count > Spool.memorySize
    let bytes = try spool.store()
    content.bytes =
      isLarge
      ? progress.map { CountedBytes(bytes, named: content.name, progress: $0) } ?? bytes : bytes
  }
}

extension Decompression {
  /// Reads content as a table; the report names the codecs.
  /// - Throws: ``TableError``.
  func table(
    of content: Content, request: ReadRequest, cancellation: Cancellation
  ) throws -> LoadedTable {
    var request = request
    request.options = content.options
    if !content.codecs.isEmpty, content.bytes.count == 0,
      !formats.allowsEmptyFile(named: content.name, options: content.options)
    {
      throw TableError.format("the \(content.codecs[0]) content is empty", at: nil)
    }
    var loaded = try formats.read(
      content.bytes, named: content.name, request: request, cancellation: cancellation)
    for codec in content.codecs { loaded.report.format += " in \(codec)" }
    loaded.report.notes = content.notes + loaded.report.notes
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
