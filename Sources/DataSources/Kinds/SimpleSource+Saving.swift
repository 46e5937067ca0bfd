package import DataTables

extension DataSource {
  /// Writes the objects of this source to a file. A loaded source whose own file is written has no
  /// edits after that.
  ///
  /// - Throws: ``SourceError``: `conflict` for a file that exists unless it is replaced, or that has
  ///   changed since it was read; `badArgument` for a value that the format cannot hold; `io`.
  package func save(
    _ content: Snapshot, _ saving: FileSaving, _ context: RequestContext
  ) async throws(SourceError) {
    do {
      let file = try await saving.write(content, read: readStates(ofFileAt: saving.path), context)
      if let simple = self as? SimpleSource, !showsEarlierContent, let store = content.store.local,
        EditedTable.haveSameRows(store.table, simple.table),
        store.order.count == simple.history.rows.count,
        saving.sections == nil
      {
        try simple.keepSaved(file, at: saving.path, simple.history.rows)
      }
    } catch {
      throw SourceError(error)
    }
  }

  /// Whether this source or one below was read from a file.
  package func wasRead(fromFileAt path: String) -> Bool { !readStates(ofFileAt: path).isEmpty }

  /// The loaded sources below, or this source, whose files can be written; each once.
  package var savableSources: [SimpleSource] {
    var found: [SimpleSource] = []
    var open: [any DataSource] = [self]
    var seen: Set<ObjectIdentifier> = []
    while let source = open.popLast() {
      guard seen.insert(ObjectIdentifier(source)).inserted else { continue }
      if let simple = source as? SimpleSource, simple.path != nil { found.append(simple) }
      open += source.children.reversed()
    }
    return found
  }

  /// The states in which this source and those below have read a file.
  private func readStates(ofFileAt path: String) -> [ReadState] {
    savableSources.flatMap { $0.files?.states(ofFileAt: path) ?? [] }
  }
}

extension SimpleSource {
  /// All objects with their edits, also those that the predicate hides.
  package func wholeContent(cancellation: Cancellation) async throws -> Snapshot {
    try await content(where: nil, cancellation: cancellation)
  }

  /// The objects of the file as it was read or saved last, without later edits; also those that the
  /// predicate hides.
  package func savedContent(cancellation: Cancellation) async throws -> Snapshot {
    try await content(
      of: savedRows ?? RowList(count: base.count), where: nil, cancellation: cancellation)
  }

  /// Whether the file from which the source was loaded has been removed.
  package var fileIsMissing: Bool {
    path.map { !hasSeveralFiles && !WholeFile.exists($0) } ?? false
  }

  /// Whether another program has changed or removed the file since it was read or saved, even if a
  /// fetch has kept the edits nevertheless.
  package func fileHasChanged(cancellation: Cancellation) -> Bool {
    guard let files else { return false }
    return (try? files.differ(cancellation: cancellation)) ?? true
  }

  /// Whether the file is as it was read, or as a fetch accepted it to keep the edits.
  package var acceptsFile: Bool {
    path.flatMap { files?.states(ofFileAt: $0).first }?.isCurrent() ?? true
  }

  /// Whether the objects were read from a file that has changed since, unless a fetch has accepted
  /// its changes.
  package func hasOtherContent(ofFileAt path: String) -> Bool {
    files?.states(ofFileAt: path).contains { !$0.isCurrent() } ?? false
  }

  /// The number of objects, also of those that the predicate hides.
  package var numberOfRows: Int { history.rows.count }

  /// Whether the objects are those of several files.
  package var hasSeveralFiles: Bool { files?.areSelected ?? false }

  /// Whether ``saveEdits(_:)`` keeps the bytes of unchanged rows.
  package var keepsBytes: Bool {
    path.flatMap { files?.states(ofFileAt: $0).first }.flatMap { FileRewriting(of: $0) } != nil
  }

  /// Checks that the edits can be written, without writing them.
  ///
  /// - Throws: ``SourceError``, as ``saveEdits(_:)`` does, or `io` for a file that is written anew.
  package func checkEdits(_ context: RequestContext) async throws(SourceError) {
    do {
      if keepsBytes {
        try await rewriting()?.check(editedRows, context)
      } else if let path {
        _ = try FileDraft(of: path)
      }
    } catch {
      throw SourceError(error)
    }
  }

  /// The edits after which a load reads a column of the file as strings.
  package func typeLosses() throws(SourceError) -> [TypeLoss] {
    do {
      return try (base as? any RewritableTable)?.typeLosses(in: editedRows) ?? []
    } catch {
      throw SourceError(error)
    }
  }

  /// Writes the edits to the file from which the source was loaded. The bytes of unchanged rows, and
  /// those between the rows, stay as they are. Without edits, nothing is written.
  ///
  /// - Throws: ``SourceError``: `conflict` if another program has changed the file, or if its bytes
  ///   cannot be kept; `badArgument` for an object that the file cannot hold; `io`.
  package func saveEdits(_ context: RequestContext) async throws(SourceError) {
    let rows = history.rows
    do {
      guard let path, let rewriting = try rewriting() else { return }
      let file = try await rewriting.write(editedRows, context)
      try keepSaved(file, at: path, rows)
    } catch {
      throw SourceError(error)
    }
  }

  private var editedRows: [RewrittenRow] { (pool ?? EditPool(base)).rewritten(history.rows) }

  /// nil without edits of a file.
  private func rewriting() throws(SourceError) -> FileRewriting? {
    guard let path, let files, hasEdits else { return nil }
    guard let state = files.states(ofFileAt: path).first,
      let rewriting = FileRewriting(of: state), rewriting.base === base
    else { throw SourceError.conflict("the bytes of `\(path)` cannot be kept") }
    return rewriting
  }

  /// Makes the rows those of the file, if it is the file from which the source was loaded.
  fileprivate func keepSaved(_ file: OpenFile, at path: String, _ rows: RowList) throws {
    guard let files, try files.keepSaved(file, at: path) else { return }
    savedRows = rows
  }
}
