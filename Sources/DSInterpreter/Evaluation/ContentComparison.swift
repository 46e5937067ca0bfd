import DataSources
import DataTables

/// Two contents that `diff` compares, and the key that identifies their objects.
struct ContentComparison {
  struct Side {
    let source: any DataSource
    let snapshot: Snapshot
    let name: String
    /// Whether the only section is titled with the name of the source, so that its title says nothing
    /// about the objects.
    fileprivate let isFlat: Bool
  }
  let old: Side
  let new: Side
  /// nil identifies objects by equality.
  private let id: ObjectKeyPath?
  /// The location of `id:`; nil for an `id:` of the sources.
  private let span: Span?
  /// The name of the source that is compared with its file; nil for two contents.
  private let loaded: String?

  /// `old, new`
  var name: String { "\(old.name), \(new.name)" }

  /// - Throws: ``Diagnostic``: `notFetched` for a source without content, `unknownKey` for an `id:`
  ///   that no object of one side has, the errors of loading a file.
  init(
    old: ContentArgument, new: ContentArgument, id: Argument?, in session: inout Session
  ) async throws {
    self.old = try await Side(old, in: &session)
    self.new = try await Side(new, in: &session)
    loaded = nil
    guard let id else {
      span = nil
      self.id = self.old.source.id ?? self.new.source.id
      return
    }
    let key = try await id.keyPath(in: &session)
    for side in [self.old, self.new] {
      try session.check(key, of: side.source)
    }
    span = key.span
    self.id = key.path
  }

  /// The edits of a source since its file was read or saved.
  init(editsOf source: SimpleSource, in session: Session) async throws {
    let name = session.displayName(of: source)
    old = Side(
      source: source,
      snapshot: try await source.savedContent(cancellation: session.cancellation),
      name: name, isFlat: true)
    new = Side(
      source: source,
      snapshot: try await source.wholeContent(cancellation: session.cancellation), name: name,
      isFlat: true)
    span = nil
    loaded = name
    id = source.id
  }

  /// The changes that other programs made in the file of a source since it was read or saved.
  /// - Throws: the errors of loading the file.
  init(fileOf source: SimpleSource, at path: String, in session: Session) async throws {
    let name = session.displayName(of: source)
    let file = try await session.load(path, options: source.options ?? ReadOptions())
    old = Side(
      source: source,
      snapshot: try await source.savedContent(cancellation: session.cancellation),
      name: name, isFlat: true)
    new = Side(
      source: file, snapshot: try file.content, name: path.lastPathComponent, isFlat: true)
    span = nil
    loaded = name
    id = source.id
  }

  /// - Throws: ``Diagnostic`` for an `id:` that several objects share, or that no object has.
  func changes(
    _ options: ChangeOptions = ChangeOptions(), in session: inout Session
  ) async throws -> [Change] {
    for side in [old, new] where side.snapshot.numberOfObjects == 0 {
      session.warn("\(side.name) has no objects")
    }
    if let id {
      for side in [old, new] { try await checkUnique(id, in: side, &session) }
    }
    let isFlat = old.isFlat && new.isFlat
    let before = isFlat ? old.snapshot.untitled : old.snapshot
    let after = isFlat ? new.snapshot.untitled : new.snapshot
    let context = session.requestContext
    let changes = try await before.changes(
      to: after, id: id, movesSections: options.movesSections, context)
    for (side, content) in [(old, before), (new, after)]
    where content.isCopied && content.numberOfObjects >= context.minTracked {
      session.warn(
        "\(counted(content.numberOfObjects, "object")) of \(side.name) were copied to compare them; "
          + "contents of one section in ascending order of the same `id:` are read side by side")
    }
    if !changes.isEmpty {
      for warning in try await typeWarnings(in: session) { session.warn(warning) }
      if let warning = try await missingIDWarning(changes, in: session) { session.warn(warning) }
    }
    return changes
  }

  private func checkUnique(
    _ id: ObjectKeyPath, in side: Side, _ session: inout Session
  ) async throws {
    let repeated: RepeatedValues?
    do {
      repeated = try await side.repeatedValues(of: id, in: session)
    } catch {
      guard case .data(.unknownKey(let key, let known)) = SourceError(error) else { throw error }
      throw Diagnostic(
        .unknownKey, "\(side.name) has no key \(UnknownKey(key))",
        suggestion: Suggestion.nearest(to: key, among: known), at: span?.place)
    }
    guard let repeated else { return }
    let message =
      "\(counted(repeated.rows, "object")) of \(side.name) \(repeated.rows == 1 ? "has" : "have") "
      + "the \(id) of an earlier one (\(repeated.first.excerpt)); "
    if let span {
      throw Diagnostic(
        .badArgument, message + "use an `id:` that differs in every object, or none", at: span)
    }
    session.warn(message + "changes may confuse them")
  }

  /// A warning for each key whose values have other types in the other content.
  private func typeWarnings(in session: Session) async throws -> [String] {
    let newKeys = Set(new.snapshot.keys)
    var warnings: [String] = []
    for key in old.snapshot.keys where newKeys.contains(key) {
      let path = ObjectKeyPath(key: key)
      let oldTypes = try await old.snapshot.store.types(of: path, session.requestContext)
      let newTypes = try await new.snapshot.store.types(of: path, session.requestContext)
      guard !oldTypes.isEmpty, !newTypes.isEmpty, Set(oldTypes).isDisjoint(with: newTypes) else {
        continue
      }
      func phrase(_ types: [ValueType]) -> String {
        types.map { "\($0)s" }.joined(separator: " and ")
      }
      let fix =
        (oldTypes == [.string] ? nil : session.typesLabel(.string, for: path, of: old.source))
        ?? (newTypes == [.string] ? nil : session.typesLabel(.string, for: path, of: new.source))
      warnings.append(
        "\(path) has \(phrase(oldTypes)) in \(old.name) and \(phrase(newTypes)) in "
          + "\(new.name), so every object differs" + (fix.map { "; \($0)" } ?? ""))
    }
    return warnings
  }

  /// A warning if objects were deleted and inserted without an `id:`, although a key could identify
  /// them.
  private func missingIDWarning(
    _ changes: [Change], in session: Session
  ) async throws -> String? {
    guard id == nil, changes.contains(where: { if case .delete = $0 { true } else { false } }),
      changes.contains(where: { if case .insert = $0 { true } else { false } })
    else { return nil }
    let keys = old.snapshot.keys
    guard let key = keys.first, new.snapshot.keys.contains(key), keys.count > 1 else {
      return nil
    }
    let path = ObjectKeyPath(key: key)
    for side in [old, new] where try await side.repeatedValues(of: path, in: session) != nil {
      return nil
    }
    return "without an `id:`, a changed object is deleted and inserted; "
      + "`\(loaded.map { "set \($0) " } ?? "")id: \(path)` shows it as an update"
  }
}

extension ContentComparison.Side {
  fileprivate init(_ argument: ContentArgument, in session: inout Session) async throws {
    source = try await argument.source(in: &session)
    snapshot = try session.content(of: source, at: argument.span)
    name = session.displayName(of: source)
    let title = snapshot.numberOfSections == 1 ? try await snapshot.title(of: 0) : nil
    isFlat = title == .string(source.state.name) || title == ""
  }

  /// The number of objects with the value of an earlier one, and the first such value; nil if all
  /// differ.
  fileprivate func repeatedValues(
    of key: ObjectKeyPath, in session: Session
  ) async throws -> RepeatedValues? {
    if snapshot.store.local == nil {
      let summary = try await snapshot.summary(of: key, session.requestContext)
      if summary.distinct + min(summary.nulls, 1) == snapshot.numberOfObjects { return nil }
    }
    let store = try await snapshot.localStore(session.requestContext)
    return try store.table.repeatedValues(
      of: key, in: store.order, cancellation: session.cancellation)
  }
}
