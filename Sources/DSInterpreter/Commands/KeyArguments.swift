import DataSources
import DataTables

// Key paths and sort descriptors among the arguments.
extension Argument {
  /// A key path; a quoted string is one key, however odd. A command in parentheses gives its text.
  func keyPath(in session: inout Session) async throws -> PlacedKeyPath {
    if case .atom(let atom) = form, case .quoted(let key) = atom.kind {
      return PlacedKeyPath(path: ObjectKeyPath(key: key), span: span)
    }
    let text = try await string(in: &session)
    do {
      return PlacedKeyPath(path: try ObjectKeyPath(parsing: text), span: span)
    } catch {
      throw self.error(.badArgument, error.message)
    }
  }

  /// `null`, which clears what `set` had set.
  var isNull: Bool { word == "null" }
}

/// A key path and where it is written.
struct PlacedKeyPath {
  let path: ObjectKeyPath
  let span: Span

  /// The place of one key of the path, where it can be told.
  func place(of key: String) -> Span {
    guard let range = span.text.firstRange(of: key) else { return span }
    let before = span.text[..<range.lowerBound].utf8.count
    let start = span.start + before
    return Span(span.script, start..<start + key.utf8.count)
  }
}

extension Session {
  /// - Throws: ``Diagnostic`` of kind `unknownKey` when the objects at hand lack a key's first step,
  ///   of few objects any step. What is deeper in many shows at the fetch, which reads the column.
  func check(_ key: PlacedKeyPath, of source: any DataSource) throws {
    guard let snapshot = source.state.snapshot else { return }
    // Where the key stands in its path is looked for when that is to be told.
    if case .key(let first)? = key.path.steps.first, Self.isUnknown(first, to: snapshot) {
      try check(Word(text: first, span: key.place(of: first)), isKeyOf: source, snapshot)
    }
    do {
      try key.path.checkKnown(to: snapshot.fewObjects)
    } catch {
      guard case .unknownKey(let step, let known) = error else { return }
      throw Diagnostic(
        .unknownKey, "\(displayName(of: source)) has no key \(UnknownKey(step))",
        suggestion: Suggestion.nearest(to: step, among: known), at: key.place(of: step))
    }
  }

  private static func isUnknown(_ key: String, to snapshot: Snapshot) -> Bool {
    guard snapshot.numberOfObjects > 0 else { return false }
    let known = snapshot.keys
    return !known.isEmpty && !known.contains(key)
  }

  /// - Throws: ``Diagnostic`` of kind `unknownKey` when there are records and none has the key.
  func check(_ key: Word, isKeyOf source: any DataSource, _ snapshot: Snapshot) throws {
    guard Self.isUnknown(key.text, to: snapshot) else { return }
    let known = snapshot.keys
    throw Diagnostic(
      .unknownKey, "\(displayName(of: source)) has no key \(UnknownKey(key.text))",
      suggestion: Suggestion.nearest(to: key.text, among: known), at: key.span)
  }

  /// The key that a label says, `old` where it is not given; nil for `null`.
  /// - Throws: ``Diagnostic`` of kind `unknownKey` as ``check(_:of:)``.
  mutating func key(
    _ argument: Argument?, changing old: ObjectKeyPath? = nil, of source: any DataSource
  ) async throws -> ObjectKeyPath? {
    guard let argument else { return old }
    if argument.isNull { return nil }
    let key = try await argument.keyPath(in: &self)
    try check(key, of: source)
    return key.path
  }
}

extension Snapshot {
  /// All objects when they are few and at hand, else none: what can be looked at before a fetch.
  var fewObjects: [Value] {
    guard numberOfObjects <= 1_000, let store = store.local else { return [] }
    // A file that was changed meanwhile tells so when it is fetched.
    return (try? store.table.objects(at: (0..<store.order.count).map { store.order[$0] })) ?? []
  }
}
