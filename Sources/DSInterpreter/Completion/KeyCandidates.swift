import DataTables

/// The keys of the objects that a command is about.
struct KeyCandidates {
  let subject: CompletionSubject

  /// The keys where a key path is typed, or those that can follow its last dot.
  func candidates(for text: String) -> [CompletionCandidate] {
    if let typed = TypedPath(text) {
      return typed.path.map { typed.candidates(subject.names(after: $0)) } ?? []
    }
    return subject.keys.map { .word($0.written, content: $0.name) }
  }

  /// The same in a predicate, where a string in quotes is a value.
  func operands(for text: String) -> [CompletionCandidate] {
    if TypedPath(text) != nil, !text.hasPrefix("SELF.\"") { return candidates(for: text) }
    return subject.keys.map { key in
      .word(key.isOperand ? key.written : "SELF." + Value.string(key.name).json, content: key.name)
    }
  }

  /// The collection operators where an operator is typed, or the keys that can follow.
  func aggregates(for text: String) -> [CompletionCandidate] {
    guard let typed = TypedPath(text) else {
      return CompletionCandidate.words(CollectionOperator.allCases.map(\.rawValue))
    }
    guard let path = typed.path else { return [] }
    return typed.candidates(
      path.steps.count == 1 ? subject.keys.map(\.name) : subject.names(after: path))
  }

  /// The keys as labels: `name:`.
  func labels(besides taken: Set<String>) -> [CompletionCandidate] {
    subject.keys.map(\.name).filter { !taken.contains($0) }.map { key in
      // `where:` without quotes selects objects.
      let isLabel = Name.isValid(key) && key != PredicateArgument.label.name
      return .word((isLabel ? key : Value.string(key).json) + ":", content: key + ":")
    }
  }
}

extension CompletionSubject.Key {
  /// Whether the key is read as one in an expression.
  fileprivate var isOperand: Bool {
    guard written == name, case .string = Value(literal: name) else { return false }
    var scanner = Scanner(Span(ScriptText(name), 0..<name.utf8.count))
    guard let token = try? scanner.next(.expression) else { return false }
    return token.kind == .word && token.start == 0 && token.end == name.utf8.count
  }
}
