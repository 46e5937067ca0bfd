import DataSources
import DataTables

/// `where: PREDICATE`
struct PredicateArgument {
  static let label = Label(
    "where", .predicate, "condition that objects satisfy; see help predicates",
    example: "kind == 'sweet'")

  private let expression: Expression

  init(_ expression: Expression) { self.expression = expression }

  init?(parsing arguments: Arguments) {
    guard let expression = arguments.predicate(Self.label) else { return nil }
    self.expression = expression
  }

  /// Whether the expression is `null`, which clears the predicate.
  private var isNull: Bool {
    if case .literal(.null) = expression.kind { true } else { false }
  }

  /// The predicate; nil for `null`.
  ///
  /// - Parameter source: the source whose objects the predicate tests. If it is nil, the keys of
  ///   the predicate are not checked.
  /// - Throws: ``Diagnostic`` for values that cannot be compared, or for a key that no object of
  ///   the content has, with the location of the faulty part of the predicate.
  func predicate(
    over source: (any DataSource)?, in session: inout Session
  ) async throws -> Predicate? {
    if isNull { return nil }
    guard let source else { return try await session.predicate(expression) }
    for key in keys { try session.check(key, isKeyBelow: source) }
    let predicate = try await session.predicate(expression)
    do {
      let objects = source.nearestContent?.fewObjects ?? []
      for path in predicate.checkedKeyPaths { try path.checkKnown(to: objects) }
    } catch {
      throw locating(error, naming: session.displayName(of: source))
    }
    return predicate
  }

  /// An evaluation error with its location: the unknown key, or the whole predicate for values that
  /// cannot be compared. Other errors are returned unchanged.
  func locating(_ error: any Error, naming name: String) -> any Error {
    guard case .data(let error) = SourceError(error) else { return error }
    switch error {
    case .unknownKey(let key, let known):
      guard let word = expression.keyWords.first(where: { $0.text == key }) else { return error }
      return Diagnostic(
        .unknownKey, "\(name) has no key \(UnknownKey(key))",
        suggestion: Suggestion.nearest(to: key, among: known), at: word.span)
    case .badArgument(let message):
      return Diagnostic(.badArgument, message, at: expression.span)
    default: return error
    }
  }

  private var keys: [Word] {
    expression.names.filter { $0.text.lowercased() != "self" && $0.text.first != "@" }
  }
}

extension PredicateArgument? {
  /// The predicate; `old` if the argument is omitted.
  func changing(
    _ old: Predicate?, over source: any DataSource, in session: inout Session
  ) async throws -> Predicate? {
    guard let argument = self else { return old }
    return try await argument.predicate(over: source, in: &session)
  }
}

extension Session {
  fileprivate func check(_ key: Word, isKeyBelow source: any DataSource) throws {
    guard let snapshot = source.nearestContent else { return }
    do { try check(key, isKeyOf: source, snapshot) } catch var mistake as Diagnostic {
      if mistake.suggestion == nil,
        let sign = key.text.dropFirst().first(where: { "+*/%".contains($0) })
      {
        mistake.message += "; put spaces around `\(sign)` to compute with it"
      }
      throw mistake
    }
  }
}

extension DataSource {
  /// The content of the source, else the content of the nearest source below that has one. The
  /// search does not descend below a source with several children.
  fileprivate var nearestContent: Snapshot? {
    var source: any DataSource = self
    while source.state.snapshot == nil, source.children.count == 1 { source = source.children[0] }
    return source.state.snapshot
  }
}

extension Expression {
  /// All keys of all key paths in the expression.
  fileprivate var keyWords: [Word] {
    switch kind {
    case .name(let name): [Word(text: name, span: span)]
    case .path(let base, let steps): base.keyWords + steps.compactMap(\.keyWord)
    default: parts.flatMap(\.keyWords)
    }
  }
}

extension PathStep {
  fileprivate var keyWord: Word? {
    if case .key(let key) = kind { Word(text: key, span: span) } else { nil }
  }
}
