import DataSources
import DataTables

/// Two contents that `diff` compares, and the key that identifies their objects.
struct ContentComparison {
  struct Side {
    let source: any DataSource
    let snapshot: Snapshot
    let name: String
  }
  let old: Side
  let new: Side
  /// nil identifies objects by equality.
  private let id: ObjectKeyPath?
  /// The location of `id:`; nil for an `id:` of the sources.
  private let span: Span?

  /// `old, new`
  var name: String { "\(old.name), \(new.name)" }

  /// - Throws: ``Diagnostic``: `notFetched` for a source without content, `unknownKey` for an `id:`
  ///   that no object of one side has, the errors of loading a file.
  init(
    old: ContentArgument, new: ContentArgument, id: Argument?, in session: inout Session
  ) async throws {
    self.old = try await Side(old, in: &session)
    self.new = try await Side(new, in: &session)
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

  /// - Throws: ``Diagnostic`` for an `id:` that several objects share, or that no object has.
  func changes(in session: inout Session) async throws -> [Change] {
    for side in [old, new] where side.snapshot.numberOfObjects == 0 {
      session.warn("\(side.name) has no objects")
    }
    if let id {
      for side in [old, new] { try await checkUnique(id, in: side, &session) }
    }
    let isFlat = old.isFlat && new.isFlat
    let changes = try await (isFlat ? old.flat : old.snapshot).changes(
      to: isFlat ? new.flat : new.snapshot, id: id, session.requestContext)
    if !changes.isEmpty {
      for warning in try await typeWarnings(in: session) { session.warn(warning) }
      if let warning = try await missingIDWarning(changes, in: session) { session.warn(warning) }
    }
    return changes
  }

  private func checkUnique(
    _ id: ObjectKeyPath, in side: Side, _ session: inout Session
  ) async throws {
    let store = try await side.store(in: session)
    let repeated: (rows: Int, first: Value)?
    do {
      repeated = try store.table.repeatedValues(
        of: id, in: store.order, cancellation: session.cancellation)
    } catch {
      guard let span, case .data(.unknownKey(let key, let known)) = SourceError(error) else {
        throw error
      }
      throw Diagnostic(
        .unknownKey, "\(side.name) has no key \(UnknownKey(key))",
        suggestion: Suggestion.nearest(to: key, among: known), at: span)
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
    let oldStore = try await old.store(in: session)
    let newStore = try await new.store(in: session)
    let newKeys = Set(newStore.keys)
    return try oldStore.keys.filter(newKeys.contains).compactMap { key in
      let path = ObjectKeyPath(key: key)
      let oldTypes = try oldStore.types(of: path, in: session)
      let newTypes = try newStore.types(of: path, in: session)
      guard !oldTypes.isEmpty, !newTypes.isEmpty, Set(oldTypes).isDisjoint(with: newTypes) else {
        return nil
      }
      func phrase(_ types: [ValueType]) -> String {
        types.map { "\($0)s" }.joined(separator: " and ")
      }
      let fix =
        (oldTypes == [.string] ? nil : session.typesLabel(.string, for: path, of: old.source))
        ?? (newTypes == [.string] ? nil : session.typesLabel(.string, for: path, of: new.source))
      return "\(path) has \(phrase(oldTypes)) in \(old.name) and \(phrase(newTypes)) in "
        + "\(new.name), so every object differs" + (fix.map { "; \($0)" } ?? "")
    }
  }

  /// A warning if objects were deleted and inserted without an `id:`, although a key could identify
  /// them.
  private func missingIDWarning(
    _ changes: [Change], in session: Session
  ) async throws -> String? {
    guard id == nil, changes.contains(where: { if case .delete = $0 { true } else { false } }),
      changes.contains(where: { if case .insert = $0 { true } else { false } })
    else { return nil }
    let oldStore = try await old.store(in: session)
    let newStore = try await new.store(in: session)
    guard let key = oldStore.keys.first, newStore.keys.contains(key), oldStore.keys.count > 1 else {
      return nil
    }
    let path = ObjectKeyPath(key: key)
    for store in [oldStore, newStore] {
      let repeated = try store.table.repeatedValues(
        of: path, in: store.order, cancellation: session.cancellation)
      if repeated != nil { return nil }
    }
    return "without an `id:`, a changed object is deleted and inserted; "
      + "`id: \(path)` shows it as an update"
  }
}

extension ContentComparison.Side {
  fileprivate init(_ argument: ContentArgument, in session: inout Session) async throws {
    source = try await argument.source(in: &session)
    snapshot = try session.content(of: source, at: argument.span)
    name = session.displayName(of: source)
  }

  /// All objects in memory; the comparison of the contents has read them.
  fileprivate func store(in session: Session) async throws -> LocalStore {
    try await snapshot.localStore(session.requestContext)
  }

  /// Whether the only section is titled with the name of the source, so that its title says nothing
  /// about the objects.
  fileprivate var isFlat: Bool {
    guard let store = snapshot.store.local else { return false }
    return store.sections.titles == [.string(source.state.name)] || store.sections.titles == [""]
  }

  /// The same objects in a section without a title.
  fileprivate var flat: Snapshot {
    guard let store = snapshot.store.local else { return snapshot }
    return Snapshot(
      LocalStore(
        table: store.table, order: store.order, sections: .whole(store.order.count, title: "")))
  }
}

extension LocalStore {
  fileprivate func types(of path: ObjectKeyPath, in session: Session) throws -> [ValueType] {
    try table.column(path, cancellation: session.cancellation).types(in: order)
  }
}
