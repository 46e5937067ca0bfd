import DataSources
import DataTables

/// Writes the edits of the loaded files below a source back to them.
struct EditSaving {
  let source: any DataSource
  /// The place of errors.
  let span: Span
  /// Whether a file is written anew if its bytes cannot be kept.
  let isReplacing: Bool

  /// Checks all files before it writes the first one.
  ///
  /// - Throws: ``Diagnostic``; it names the files that were written before the failing one.
  func save(in session: Session) async throws -> CommandResult {
    let name = session.displayName(of: source)
    let files = source.savableSources
    guard !files.isEmpty else {
      throw Diagnostic(
        .badArgument,
        "\(name) was not loaded from a file; name a file to write, such as `save \(name) rows.csv`",
        at: span)
    }
    if let reason = session.reasonAgainstEarlierContent(of: source) {
      throw Diagnostic(.conflict, reason, at: span)
    }
    let edited = files.filter(\.hasEdits)
    for file in edited { try check(file, in: session) }
    if edited.count > 1 {
      for file in edited { try await checkWriting(file, in: session) }
    }
    var saved: [(String, Int)] = []
    var warnings: [String] = []
    for file in edited {
      do {
        let losses = file.keepsBytes ? try typeLosses(of: file, in: session) : []
        warnings += losses.map { "\(session.displayName(of: file)): \($0.message)" }
        try await write(file, in: session)
      } catch var error as Diagnostic {
        if !saved.isEmpty {
          error.message += "; before that, \(Self.phrase(for: saved))"
        }
        throw error
      }
      saved.append((file.path ?? "", file.numberOfRows))
    }
    let data = Record([("files", .array(saved.map { .string($0.0) }))])
    let headline =
      saved.isEmpty
      ? "\(name): no edits to save"
      : Self.phrase(for: saved)
    let report = Report(headline: headline, data: data)
    return CommandResult(.source(source), Output(.report(report), warnings: warnings))
  }

  /// `a.csv: 2 rows saved, b.csv: 1 row saved`
  private static func phrase(for saved: [(String, Int)]) -> String {
    saved.map { "\($0): \(counted($1, "row")) saved" }.joined(separator: ", ")
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
      throw Diagnostic(changed: path, of: file, in: session, at: span)
    }
    guard isReplacing else {
      throw Diagnostic(
        .conflict,
        "`\(path)` has changed since it was read, and saving would undo those changes "
          + "(`diff \(name) file: true` shows them); `overwrite: true` replaces the file", at: span)
    }
  }

  /// Checks that a file can be written, without writing it.
  private func checkWriting(_ file: SimpleSource, in session: Session) async throws {
    do {
      try await file.checkEdits(session.savingContext)
      if !file.keepsBytes { _ = try replacement(of: file) }
    } catch let error as SourceError {
      throw failure(of: file, error, in: session)
    }
  }

  private func typeLosses(of file: SimpleSource, in session: Session) throws -> [TypeLoss] {
    do {
      return try file.typeLosses()
    } catch {
      throw failure(of: file, error, in: session)
    }
  }

  private func write(_ file: SimpleSource, in session: Session) async throws {
    do {
      if file.keepsBytes {
        try await file.saveEdits(session.savingContext)
      } else {
        let saving = try replacement(of: file)
        let content = try await file.wholeContent(cancellation: session.cancellation)
        try await file.save(content, saving, session.savingContext)
      }
    } catch let error as SourceError {
      throw failure(of: file, error, in: session)
    }
  }

  /// Writes a file anew whose bytes cannot be kept.
  private func replacement(of file: SimpleSource) throws -> FileSaving {
    let path = file.path ?? ""
    guard isReplacing else {
      throw Diagnostic(
        .conflict,
        "`\(path)` cannot be written without changing other bytes than those of the edited rows; "
          + "`overwrite: true` writes it anew", at: span)
    }
    var saving = try FileSaving(path, path: path, format: file.options?.format, at: span)
    saving.isReplacing = true
    return saving
  }

  private func failure(
    of file: SimpleSource, _ error: SourceError, in session: Session
  ) -> Diagnostic {
    let path = file.path ?? ""
    var failure = Diagnostic(saving: path, existing: true, error, at: span)
    if case .data(.noColumn) = error {
      let command = Self.commandToReplace(file, path, in: session)
      failure.message +=
        "; undo that edit, or "
        + (command.map { "write the file anew: `\($0)`" } ?? "name a file to write all values")
    }
    return failure
  }

  /// The command that writes all objects to the file of a source; nil for a source without a name.
  private static func commandToReplace(
    _ file: SimpleSource, _ path: String, in session: Session
  ) -> String? {
    guard let name = session.boundName(of: file) else { return nil }
    let formats = FormatTable.standard
    let format = file.options?.format
    let isKnown = (format.flatMap { formats.named($0) } ?? formats.format(ofFileNamed: path))
      .map { $0.writing != nil }
    let label = isKnown == true ? format : "csv"
    return "save \(name) \(SuggestedLabels.written(path))"
      + (label.map { " format: \($0)" } ?? "") + " overwrite: true"
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
  /// - Parameter existing: whether the file existed before.
  init(saving name: String, existing: Bool, _ error: SourceError, at span: Span) {
    let message =
      error.isCancelled
      ? "saving was canceled; \(name) \(existing ? "is unchanged" : "was not written")"
      : error.message
    self.init(error.kind, message, at: span)
  }

  /// The error of a file that another program has changed since a source read it.
  init(changed file: String, of source: SimpleSource, in session: Session, at span: Span) {
    let name = session.displayName(of: source)
    let wayOut =
      source.hasEdits
      ? "(`diff \(name) file: true` shows both; `fetch \(name) keep: true` or `discard: true` "
        + "settles it)"
      : "(`fetch \(name)` reads it again)"
    self.init(.conflict, "`\(file)` has changed since it was read \(wayOut)", at: span)
  }
}
