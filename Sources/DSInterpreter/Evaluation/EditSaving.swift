import DataSources
import DataTables

/// Writes the edits of the loaded files below a source back to them.
struct EditSaving {
  let source: any DataSource
  /// The place of errors.
  let span: Span
  /// Whether a file is written anew if its bytes cannot be kept.
  let isReplacing: Bool

  /// - Throws: ``Diagnostic``; the files that were written before the failing one stay written.
  func save(in session: Session) async throws -> CommandResult {
    let name = session.displayName(of: source)
    let files = source.savableSources
    guard !files.isEmpty else {
      throw Diagnostic(
        .badArgument,
        "\(name) was not loaded from a file; name a file to write, such as `save \(name) rows.csv`",
        at: span)
    }
    let edited = files.filter(\.hasEdits)
    for file in edited { try check(file, in: session) }
    var saved: [(String, Int)] = []
    for file in edited {
      let path = file.path ?? ""
      do {
        if file.keepsBytes {
          try await file.saveEdits(session.savingContext)
        } else {
          try await overwrite(file, path, in: session)
        }
      } catch let error as SourceError {
        throw Diagnostic(saving: path, error, at: span)
      }
      saved.append((path, file.numberOfRows))
    }
    let data = Record([("files", .array(saved.map { .string($0.0) }))])
    let headline =
      saved.isEmpty
      ? "\(name): no edits to save"
      : saved.map { "\($0): \(counted($1, "row")) saved" }.joined(separator: ", ")
    return CommandResult(.source(source), Output(.report(Report(headline: headline, data: data))))
  }

  /// - Throws: ``Diagnostic``, `conflict` for a file that cannot be written, that has been removed, or
  ///   that has changed, unless a fetch has kept the edits and the changes may be replaced.
  private func check(_ file: SimpleSource, in session: Session) throws {
    let name = session.displayName(of: file)
    let path = file.path ?? ""
    let reason =
      file.fileIsMissing
      ? "`\(path)` has been removed"
      : file.keepsBytes ? nil : Self.reasonAgainstOverwriting(file, path)
    if let reason {
      throw Diagnostic(
        .conflict, "\(reason); name a file to write, such as `save \(name) rows.csv`", at: span)
    }
    guard file.fileHasChanged(cancellation: session.cancellation) else { return }
    guard file.acceptsFile else {
      throw Diagnostic(
        .conflict,
        "`\(path)` has changed since it was read (`diff \(name) file: true` shows both; "
          + "`fetch \(name) keep: true` or `discard: true` settles it)", at: span)
    }
    guard isReplacing else {
      throw Diagnostic(
        .conflict,
        "`\(path)` has changed since it was read, and saving would undo those changes "
          + "(`diff \(name) file: true` shows them); `overwrite: true` replaces the file", at: span)
    }
  }

  /// Writes a file anew whose bytes cannot be kept.
  private func overwrite(
    _ file: SimpleSource, _ path: String, in session: Session
  ) async throws {
    guard isReplacing else {
      throw Diagnostic(
        .conflict,
        "`\(path)` cannot be written without changing other bytes than those of the edited rows; "
          + "`overwrite: true` writes it anew", at: span)
    }
    var saving = try FileSaving(path, path: path, format: file.options?.format, at: span)
    saving.isReplacing = true
    let content = try await file.wholeContent(cancellation: session.cancellation)
    try await file.save(content, saving, session.savingContext)
  }

  /// Why the objects cannot replace the file from which they were loaded; nil if they can.
  private static func reasonAgainstOverwriting(_ file: SimpleSource, _ path: String) -> String? {
    if file.hasSeveralFiles { return "the objects were loaded from several files" }
    let table = FormatTable.standard
    let codec = table.codec(ofFileNamed: path)
    // An archive may have other files.
    if let codec, !codec.options.isEmpty { return "edits cannot be written back to \(codec.name)" }
    let stem = codec.map { table.contentName(ofFileNamed: path, codec: $0, inner: nil) } ?? path
    let format = file.options?.format.map { table.named($0) } ?? table.format(ofFileNamed: stem)
    guard let format else { return "the extension of `\(path)` does not determine a format" }
    if format.writing == nil { return "edits cannot be written back to \(format.name)" }
    if file.report?.rowsAreWhole == false {
      return "`\(path)` has more than an array of the objects, which would be lost"
    }
    return nil
  }
}

extension Session {
  var savingContext: RequestContext {
    RequestContext(cancellation: cancellation, progress: progress)
  }
}

extension Diagnostic {
  /// The error of a file that could not be written.
  init(saving name: String, _ error: SourceError, at span: Span) {
    let message =
      error.isCancelled ? "saving was canceled; \(name) is unchanged" : error.message
    self.init(error.kind, message, at: span)
  }
}
