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
    for key in keys { try session.check(key, of: expression, isKeyBelow: source) }
    let predicate = try await session.predicate(expression)
    let objects = source.nearestContent?.fewObjects ?? []
    for path in predicate.checkedKeyPaths {
      do { try path.checkKnown(to: objects) } catch {
        throw locating(error, in: [path], of: source, session)
      }
    }
    return predicate
  }

  /// An evaluation error as ``locating(_:naming:in:)`` returns it. The message about an unknown key
  /// names the value that lacks it, if the key is in one of the key paths.
  func locating(
    _ error: any Error, in paths: [ObjectKeyPath], of source: any DataSource, _ session: Session
  ) -> any Error {
    let mistake = locating(error, naming: session.displayName(of: source), in: session)
    guard case .data(.unknownKey(let key, let known)) = SourceError(error),
      var diagnostic = mistake as? Diagnostic,
      let path = paths.first(where: { path in
        path.steps.contains { ObjectKeyPath([$0]).description == key }
      })
    else { return mistake }
    diagnostic.message = session.absence(of: key, among: known, in: path, of: source)
    return diagnostic
  }

  /// An evaluation error with its location: the unknown key, or the whole predicate for values that
  /// cannot be compared. Other errors are returned unchanged.
  func locating(
    _ error: any Error, naming name: String, in session: Session
  ) -> any Error {
    guard case .data(let error) = SourceError(error) else { return error }
    switch error {
    case .unknownKey(let key, let known):
      guard let word = expression.keyWords.first(where: { $0.text == key }) else { return error }
      let mistake = Diagnostic(
        .unknownKey, "\(name) has no key \(UnknownKey(key))",
        suggestion: Suggestion.nearest(to: key, among: known), at: word.span)
      return session.adding(fixOf: word, in: expression, to: mistake)
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
  fileprivate func check(
    _ key: Word, of predicate: Expression, isKeyBelow source: any DataSource
  ) throws {
    guard let snapshot = source.nearestContent else { return }
    do { try check(key, isKeyOf: source, snapshot) } catch let mistake as Diagnostic {
      throw adding(fixOf: key, in: predicate, to: mistake)
    }
  }

  /// Adds the fix of an unknown key of a predicate to its error. A name that is bound was rather meant
  /// than a similar key, and a similar key rather than any other fix.
  fileprivate func adding(
    fixOf key: Word, in predicate: Expression, to mistake: Diagnostic
  ) -> Diagnostic {
    var mistake = mistake
    let meant = MeantValue(key, in: predicate, self)
    if let meant, meant.isBound {
      mistake.suggestion = nil
      mistake.message += "; \(meant.fix)"
    } else if mistake.suggestion == nil {
      if let sign = key.text.dropFirst().first(where: { "+*/%".contains($0) }) {
        mistake.message += "; put spaces around `\(sign)` to compute with it"
      } else if let meant {
        mistake.message += "; \(meant.fix)"
      }
    }
    return mistake
  }
}

extension DataSource {
  /// The content of the source, else the content of the nearest source below that has one. The
  /// search does not descend below a source with several children.
  var nearestContent: Snapshot? {
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
