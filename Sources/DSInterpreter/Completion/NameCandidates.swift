import DataSources
import DataTables

/// The names that are visible at the cursor, and the paths that continue them.
struct NameCandidates {
  let session: Session
  /// The names of blocks, the innermost last.
  let locals: [CompletionFrame.LocalName]
  let databases: DatabaseWords

  var words: [String] { session.bindings.map(\.name) + locals.map(\.name) }

  var all: [CompletionCandidate] { CompletionCandidate.words(words) }

  /// The names, or the paths that continue a name and a dot.
  func candidates(for text: String) -> [CompletionCandidate] {
    text.contains(".") ? paths(for: text) : all
  }

  /// The names of sources, those that a block has, and the tables of databases.
  func sources(for text: String) -> [CompletionCandidate] {
    let sources = session.bindings.compactMap {
      if case .source = $0.value { $0.name } else { nil as String? }
    }
    return CompletionCandidate.words(sources + locals.map(\.name)) + tables(for: text)
  }

  /// The tables of databases; the names of databases, if these are many.
  func tables(for text: String) -> [CompletionCandidate] {
    let words = databases.words(for: text) ?? databases.tables(under: text)
    return words.map { .word($0, endsWord: !$0.hasSuffix(".")) }
  }

  var openDatabases: [CompletionCandidate] {
    CompletionCandidate.words(
      session.bindings.compactMap { if case .database = $0.value { $0.name } else { nil } })
  }

  /// `$name` for each name, or the paths that continue one.
  func variables(for text: String) -> [CompletionCandidate] {
    let rest = String(text.dropFirst())
    return candidates(for: rest).map { candidate in
      .word("$" + candidate.text, content: "$" + candidate.content, endsWord: candidate.endsWord)
    }
  }

  /// The words that can follow the last dot of a path that begins with a name: properties of a source,
  /// then keys of its objects; keys of a value.
  func paths(for text: String) -> [CompletionCandidate] {
    if let words = databases.words(for: text) { return CompletionCandidate.words(words) }
    guard let typed = TypedPath(text), let path = typed.path,
      case .key(let name)? = path.steps.first
    else { return [] }
    let rest = ObjectKeyPath(Array(path.steps.dropFirst()))
    if local(name) == nil, case .source? = operand(name) {
      switch rest.steps.first {
      case nil: return typed.candidates(SourceProperty.all.map(\.name))
      case .index?, .range?: break
      case .key(let property)?:
        let returnsObjects = SourceProperty.all.contains {
          $0.name == property && $0.returnsObjects
        }
        guard returnsObjects else { return [] }
      case .collection?: return []
      }
      let inner = ObjectKeyPath(Array(rest.steps.dropFirst()))
      let subject = subject(named: name)
      return typed.candidates(
        inner.steps.isEmpty ? subject.keys.map(\.name) : subject.names(after: inner))
    }
    return typed.candidates(subject(named: name).names(after: rest))
  }

  /// The objects of a name, or of the name that a path or an index begins with.
  func subject(named text: String) -> CompletionSubject {
    let name = String(text.prefix { $0 != "." && $0 != "[" })
    if let local = local(name) {
      guard let source = local.source, source != name else { return CompletionSubject(source: nil) }
      return outside(local).subject(named: source).elements
    }
    switch operand(name) {
    case .source(let source)?: return CompletionSubject(source: source)
    case .value(let value)?: return CompletionSubject(value: value)
    case .objects(let listing)?: return CompletionSubject(content: listing.snapshot)
    case .some(.none), .database?, nil: return CompletionSubject(source: nil)
    }
  }

  /// The operand of a name of the session, or the last result.
  private func operand(_ name: String) -> Operand? {
    session.names[name] ?? (name == "_" ? session.last : nil)
  }

  func isLocal(_ name: String) -> Bool { local(name) != nil }

  private func local(_ name: String) -> CompletionFrame.LocalName? {
    locals.last { $0.name == name }
  }

  /// The names around the block of a name.
  private func outside(_ local: CompletionFrame.LocalName) -> Self {
    let end = locals.lastIndex(of: local) ?? 0
    return Self(session: session, locals: Array(locals[..<end]), databases: databases)
  }
}
