import DataSources
import DataTables

/// A key path with its location.
struct LocatedKeyPath {
  let path: ObjectKeyPath
  let span: Span

  /// The location of the first occurrence of a key in the path; the location of the whole path if
  /// the key does not occur.
  func span(of key: String) -> Span {
    guard let range = span.text.firstRange(of: key) else { return span }
    let before = span.text[..<range.lowerBound].utf8.count
    let start = span.start + before
    return Span(span.script, start..<start + key.utf8.count)
  }
}

extension Argument {
  /// A key path. A quoted string is a single key. A command in parentheses returns the key path as
  /// a string.
  func keyPath(in session: inout Session) async throws -> LocatedKeyPath {
    if let path = try literalKeyPath() { return path }
    return try keyPath(try await string(in: &session))
  }

  /// The key path as typed; nil for a value from `|`, a variable, a command in parentheses or `env`.
  func literalKeyPath() throws -> LocatedKeyPath? {
    guard case .atom(let atom) = form else { return nil }
    switch atom.kind {
    case .quoted(let key): return LocatedKeyPath(path: ObjectKeyPath(key: key), span: span)
    case .word(let text): return variable == nil ? try keyPath(text) : nil
    case .list, .record: throw mismatch()
    case .parenthesized, .environment, .interpolated: return nil
    }
  }

  private func keyPath(_ text: String) throws -> LocatedKeyPath {
    do {
      return LocatedKeyPath(path: try ObjectKeyPath(parsing: text), span: span)
    } catch {
      throw self.error(.badArgument, error.message)
    }
  }

  /// The collection operator that a key path begins with.
  func aggregate(_ key: LocatedKeyPath) throws -> CollectionOperator {
    if case .collection(let aggregate)? = key.path.steps.first { return aggregate }
    let written = span.text.split(separator: ".").first.map(String.init) ?? ""
    throw error(
      .badArgument,
      "`\(span.text)` does not begin with a collection operator such as `@sum.price`",
      suggestion: Suggestion.nearest(
        to: written,
        among: CollectionOperator.allCases.map(\.rawValue) + (type.choices?.words ?? [])))
  }
}

extension Session {
  /// Checks a key path against the content of a source.
  ///
  /// The first key is checked in any content, deeper keys only in a local content of at most 1,000
  /// objects. Otherwise, an unknown deeper key fails in the fetch, which reads the column.
  /// - Throws: ``Diagnostic`` of kind `unknownKey`.
  func check(_ key: LocatedKeyPath, of source: any DataSource) throws {
    guard let snapshot = source.state.snapshot else { return }
    // The location of the key in its path is computed only for an error.
    if case .key(let first)? = key.path.steps.first, Self.isUnknown(first, to: snapshot) {
      try check(Word(text: first, span: key.span(of: first)), isKeyOf: source, snapshot)
    }
    do {
      try key.path.checkKnown(to: snapshot.fewObjects)
    } catch {
      guard case .unknownKey(let step, let known) = error else { return }
      throw Diagnostic(
        .unknownKey, absence(of: step, among: known, in: key.path, of: source),
        suggestion: Suggestion.nearest(to: step, among: known), at: key.span(of: step))
    }
  }

  /// The message that no object has a key of a key path. It names the value that lacks the key and,
  /// without a near key, those that it has.
  func absence(
    of step: String, among known: [String], in path: ObjectKeyPath, of source: any DataSource
  ) -> String {
    let place = path.steps.dropFirst().firstIndex { ObjectKeyPath([$0]).description == step }
    guard let place, path.steps.first.map({ ObjectKeyPath([$0]).description }) != step else {
      return "\(displayName(of: source)) has no key \(UnknownKey(step))"
    }
    // An operator reduces the elements, whose keys are those after it.
    let owner = path.steps[..<place].filter { if case .collection = $0 { false } else { true } }
    let name = owner.isEmpty ? displayName(of: source) : "`\(ObjectKeyPath(owner))`"
    let message = "\(name) has no key \(UnknownKey(step))"
    let derived = Set(DerivedKey.all.map(\.name))
    let own = known.filter { !derived.contains($0) && CollectionOperator(rawValue: $0) == nil }
    guard !own.isEmpty, Suggestion.nearest(to: step, among: known) == nil else { return message }
    let shown = own.prefix(Self.maxShownKeys).map { "`\($0)`" }.joined(separator: ", ")
    let more = own.count > Self.maxShownKeys ? ", …" : ""
    return message + "; it has " + shown + more
  }

  private static let maxShownKeys = 8

  /// Checks a key of a record that may also be a key path.
  /// - Throws: ``Diagnostic`` of kind `unknownKey`.
  func check(
    _ key: Word, isKeyOrPathOf source: any DataSource, _ snapshot: Snapshot
  ) throws {
    let path = snapshot.keyPath(of: key.text)
    if path.steps.count == 1 { return try check(key, isKeyOf: source, snapshot) }
    try check(LocatedKeyPath(path: path, span: key.span), of: source)
  }

  /// Whether the objects of a content are records and none of them has a key.
  static func isUnknown(_ key: String, to snapshot: Snapshot) -> Bool {
    guard snapshot.numberOfObjects > 0, key != DerivedKey.itself else { return false }
    let known = snapshot.keys
    return !known.isEmpty && !known.contains(key)
  }

  /// - Throws: ``Diagnostic`` of kind `unknownKey` if the content has records and none of them has
  ///   the key.
  func check(_ key: Word, isKeyOf source: any DataSource, _ snapshot: Snapshot) throws {
    guard Self.isUnknown(key.text, to: snapshot) else { return }
    throw Diagnostic(
      .unknownKey, "\(displayName(of: source)) has no key \(UnknownKey(key.text))",
      suggestion: Suggestion.nearest(to: key.text, among: snapshot.keys), at: key.span)
  }

  /// The key path of an argument: `old` if the argument is omitted, nil if it is `null`.
  /// - Throws: ``Diagnostic`` of kind `unknownKey`, as ``check(_:of:)`` does.
  mutating func key(
    _ argument: Argument?, changing old: ObjectKeyPath? = nil, of source: any DataSource
  ) async throws -> ObjectKeyPath? {
    guard let argument else { return old }
    if argument.isNull { return nil }
    let key = try await argument.keyPath(in: &self)
    try check(key, of: source)
    return key.path
  }

  /// Sets the key path of `id:` on the source that a command created.
  mutating func identify(_ source: any DataSource, by arguments: Arguments) async throws {
    guard let id = try arguments[.id] else { return }
    let key = try await id.keyPath(in: &self)
    try check(key, of: source)
    if source.id(ofObjectsWith: key.path) == key.path {
      for child in source.children { try check(key, of: child) }
    }
    source.id = key.path
  }
}

extension Snapshot {
  /// All objects of a local content that has at most 1,000 objects, else none. So few objects can
  /// be checked before a fetch at little cost.
  var fewObjects: [Value] {
    guard numberOfObjects <= 1_000, let store = store.local else { return [] }
    // If the file has changed since it was loaded, the fetch reports the error.
    return (try? store.table.objects(at: (0..<store.order.count).map { store.order[$0] })) ?? []
  }
}
