package import DataTables

/// Writes the objects of a source to a file.
package struct FileSaving: Sendable {
  /// How the sections are written.
  package enum SectionForm: String, CaseIterable, Sendable {
    /// Each section as a record with its title and the array of its objects.
    case nested
    /// The title in a last column of each row.
    case column
  }

  package let path: String
  /// The path in messages.
  package let name: String
  /// The name of the content, without the extension of a codec.
  package let contentName: String
  package let format: any TableFormat
  package let codec: (any Codec)?
  /// nil for the objects without their sections.
  package var sections: SectionForm?
  package var isReplacing = false

  /// Whether the file exists.
  package var replacesFile: Bool { WholeFile.exists(path) }

  private static let batchSize = 2_048
  private static let pieceSize = 256 << 10

  package init(
    path: String, name: String, contentName: String, format: any TableFormat,
    codec: (any Codec)?
  ) {
    self.path = path
    self.name = name
    self.contentName = contentName
    self.format = format
    self.codec = codec
  }

  /// Writes the objects; a file takes its new content as a whole, or keeps the old one.
  ///
  /// Objects that are not in memory are read in batches. The encoding of a file from which the objects
  /// were read is kept.
  /// - Parameter states: the states in which the objects were read from the file, if they were.
  /// - Returns: the new file.
  /// - Throws: ``SourceError``: `conflict` for a file that exists unless it is replaced, or that has
  ///   changed since it was read; `badArgument` for a value that the format cannot hold; `io`.
  @concurrent
  func write(
    _ content: Snapshot, read states: [ReadState], _ context: RequestContext
  ) async throws -> OpenFile {
    let draft = try FileDraft(of: path)
    if draft.replacesFile, !isReplacing {
      throw SourceError.conflict("`\(name)` exists already; `overwrite: true` replaces it")
    }
    // A file that was removed cannot be lost.
    guard !draft.replacesFile || states.allSatisfy({ $0.isCurrent() }) else {
      throw SourceError.changed(name)
    }
    var output = Output(
      draft: draft,
      compressor: try codec?.makeCompressor(contentName: contentName.lastPathComponent))
    if let (encoding, hasMark) = keptEncoding(of: states.first) {
      output.encoding = encoding
      if hasMark { output.mark = encoding.byteOrderMark }
    }
    let phase = context.progress.begin(
      "saving \(name.lastPathComponent)", unit: .rows, total: content.numberOfObjects)
    defer { phase.end() }
    try await write(content, to: &output, phase, context)
    try output.finish()
    try context.cancellation.check()
    guard let file = try draft.commit(cancellation: context.cancellation) else {
      throw SourceError.changed(name)
    }
    return file
  }

  /// The encoding of the file that is replaced; nil if it is of another format.
  private func keptEncoding(
    of state: ReadState?
  ) -> (encoding: TextEncoding, hasMark: Bool)? {
    guard let state, let writing = format.writing, writing.hasAnyEncoding else { return nil }
    let formats = state.loader.formats
    let loaded =
      state.loader.request.options.format.map { formats.named($0) }
      ?? formats.format(ofFileNamed: contentName)
    return loaded?.name == format.name ? state.file.loaded.report.textEncoding : nil
  }

  // MARK: Objects

  private func write(
    _ content: Snapshot, to output: inout Output, _ phase: Progress.Phase,
    _ context: RequestContext
  ) async throws {
    guard let writing = format.writing else {
      throw TableError.badArgument("tables cannot be written as \(format.name)")
    }
    let column = sections == .column ? SectionColumn(of: content) : nil
    let layout = WriteLayout(
      keys: column?.keys ?? content.keys,
      hasOtherObjects: column == nil && content.store.hasOtherObjects,
      nestsSections: sections == .nested)
    var writer = writing.writer(for: layout, named: contentName)
    try writer.begin(&output.piece)
    if sections == nil, let local = content.store.local,
      let copy = DelimitedRowCopy(of: local.table, for: writer)
    {
      try output.flush()
      var rest = local.order.count
      try copy.copy(local.order, cancellation: context.cancellation) { rows in
        try output.write(rows)
        // Cells may contain line ends, too.
        let lines = min(rest, rows.count(where: { $0 == 0x0A }))
        rest -= lines
        phase.advance(by: lines)
      }
    } else if sections == .nested {
      for section in 0..<content.numberOfSections {
        try writer.beginSection(try await content.title(of: section), &output.piece)
        try await append(
          content.batches(of: Self.batchSize, in: section..<section + 1), with: &writer, nil,
          to: &output, phase, context)
        writer.endSection(&output.piece)
        try output.flush(ifLongerThan: Self.pieceSize)
      }
    } else {
      try await append(
        content.batches(of: Self.batchSize), with: &writer, column, to: &output, phase, context)
    }
    try writer.end(&output.piece)
  }

  private func append(
    _ batches: ObjectBatches, with writer: inout any TableWriter, _ column: SectionColumn?,
    to output: inout Output, _ phase: Progress.Phase, _ context: RequestContext
  ) async throws {
    var column = column
    for try await batch in batches {
      try context.cancellation.check()
      let objects = try await column?.adding(to: batch) ?? batch.objects
      try writer.append(objects, to: &output.piece)
      try output.flush(ifLongerThan: Self.pieceSize)
      phase.advance(by: batch.objects.count)
    }
  }

  /// The bytes on their way to the file.
  private struct Output {
    let draft: FileDraft
    let compressor: (any Compressor)?
    var encoding = TextEncoding.utf8
    /// The byte order mark, until it is written.
    var mark: [UInt8] = []
    /// Whole rows.
    var piece: [UInt8] = []

    mutating func flush(ifLongerThan size: Int = 0) throws {
      guard piece.count > size else { return }
      try write(piece)
      piece.removeAll(keepingCapacity: true)
    }

    /// - Parameter text: whole rows in UTF-8.
    mutating func write(_ text: [UInt8]) throws {
      guard let encoded = encoding.encoded(text) else { throw encoding.lackOfCharacter }
      let bytes = mark.isEmpty ? encoded : mark + encoded
      mark = []
      try draft.append(try compressor?.compress(bytes) ?? bytes)
    }

    mutating func finish() throws {
      try flush()
      if let compressor { try draft.append(try compressor.finish()) }
    }
  }
}

extension SourceError {
  /// The error of a file that must not be replaced.
  static func changed(_ name: String) -> SourceError {
    .conflict("`\(name)` has changed since it was read; the file is left as it is")
  }
}
