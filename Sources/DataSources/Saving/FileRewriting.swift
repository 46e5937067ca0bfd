import DataTables

/// Writes edited rows back to the file from which they were loaded: the bytes of unchanged rows are
/// copied, and so is everything between the rows.
struct FileRewriting: Sendable {
  private let state: ReadState
  private let table: any RewritableTable
  private let encoding: TextEncoding
  private let hasMark: Bool

  private static let pieceSize = 1 << 20

  /// nil for a file whose bytes cannot be kept: one of a format without rows of text, or that is
  /// compressed.
  init?(of state: ReadState) {
    guard !state.file.isCompressed, let table = state.file.loaded.table as? any RewritableTable,
      let encoding = state.file.loaded.report.textEncoding
    else { return nil }
    self.state = state
    self.table = table
    (self.encoding, hasMark) = (encoding.encoding, encoding.hasMark)
  }

  var base: any Table { table }

  /// Checks that the file can be written with other rows, without writing it.
  /// - Throws: as ``write(_:_:)`` does.
  @concurrent
  func check(_ rows: [RewrittenRow], _ context: RequestContext) async throws {
    let draft = try FileDraft(of: state.loader.path)
    guard draft.replacesFile, state.isCurrent() else {
      throw SourceError.changed(state.loader.path)
    }
    let parts = try table.rewritten(rows, cancellation: context.cancellation)
    if encoding != .utf8 { _ = try converted(parts, context) }
  }

  /// - Returns: the new file.
  /// - Throws: ``SourceError``: `conflict` if another program has changed the file, or if its bytes
  ///   cannot be kept.
  @concurrent
  func write(_ rows: [RewrittenRow], _ context: RequestContext) async throws -> OpenFile {
    let path = state.loader.path
    let draft = try FileDraft(of: path)
    guard state.isCurrent() else { throw SourceError.changed(path) }
    let parts = try table.rewritten(rows, cancellation: context.cancellation)
    if hasMark { try draft.append(encoding.byteOrderMark) }
    if encoding == .utf8 {
      try copy(parts, to: draft, context)
    } else {
      try draft.append(try converted(parts, context))
    }
    try context.cancellation.check()
    guard let file = try draft.commit(cancellation: context.cancellation) else {
      throw SourceError.changed(path)
    }
    return file
  }

  private func copy(
    _ parts: [RewrittenText], to draft: FileDraft, _ context: RequestContext
  ) throws {
    let phase = context.progress.begin(
      "saving \(state.loader.name)", unit: .bytes, total: table.store.count)
    defer { phase.end() }
    for part in parts {
      switch part {
      case .written(let bytes): try draft.append(bytes)
      case .copied(let range):
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.pieceSize) {
          try context.cancellation.check()
          let end = min(start + Self.pieceSize, range.upperBound)
          let bytes = try table.store.bytes(start..<end)
          guard bytes.count == end - start else { throw SourceError.changed(state.loader.path) }
          try draft.append(bytes)
          phase.advance(by: bytes.count)
        }
      }
    }
  }

  /// The text in the encoding of the file.
  private func converted(_ parts: [RewrittenText], _ context: RequestContext) throws -> [UInt8] {
    let all = try table.store.bytes(0..<table.store.count)
    // After a save, the file has the spelling of this encoder.
    if state.hasFileOfTable { try checkSpelling(of: all, context) }
    var text: [UInt8] = []
    for part in parts {
      switch part {
      case .written(let bytes): text += bytes
      case .copied(let range): text += all[range]
      }
    }
    guard let bytes = encoding.encoded(text) else {
      throw SourceError.data(encoding.lackOfCharacter)
    }
    return bytes
  }

  /// Some encodings have several spellings of a text: the unchanged text must have that of the file.
  private func checkSpelling(of all: [UInt8], _ context: RequestContext) throws {
    let file = try OpenFile(path: state.loader.path)
    let old = try state.loader.content(of: file, upTo: nil, cancellation: context.cancellation)
    let mark = hasMark ? encoding.byteOrderMark : []
    guard let same = encoding.encoded(all),
      try old.bytes.bytes(0..<old.bytes.count) == mark + same
    else {
      throw SourceError.conflict(
        "the bytes of `\(state.loader.path)` cannot be kept in \(encoding.name); "
          + "name another file, which gets UTF-8")
    }
  }
}

extension LoadReport {
  /// The encoding of the text, and whether the text begins with a byte order mark; nil for a
  /// binary format.
  var textEncoding: (encoding: TextEncoding, hasMark: Bool)? {
    let mark = " with BOM"
    let hasMark = encoding.hasSuffix(mark)
    return TextEncoding(named: hasMark ? String(encoding.dropLast(mark.count)) : encoding)
      .map { ($0, hasMark) }
  }
}

extension TextEncoding {
  /// The error of a new value that the encoding cannot hold.
  var lackOfCharacter: TableError {
    .badArgument(
      "a new value has a character that \(name) lacks; name another file, which gets UTF-8")
  }
}
