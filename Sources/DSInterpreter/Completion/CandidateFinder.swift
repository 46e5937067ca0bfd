import DataSources
import DataTables

/// Finds the words that the place of the cursor accepts, by the declarations of commands.
struct CandidateFinder {
  private let session: Session
  private let context: CompletionContext
  private let databases: DatabaseWords
  private let names: NameCandidates
  private let subject: CompletionSubject

  init(session: Session, context: CompletionContext, databases: DatabaseWords) {
    self.session = session
    self.context = context
    self.databases = databases
    names = NameCandidates(session: session, locals: context.localNames, databases: databases)
    subject = Self.subject(of: context, in: session, names, columns: databases.columns)
  }

  /// The words, whether they continue the typed one or not.
  func candidates() async -> [CompletionCandidate] {
    let frame = context.frame
    if context.word.text.hasPrefix("$") { return names.variables(for: context.word.text) }
    switch frame.phase {
    case .newName, .loopName, .definitionName, .parameters: return []
    case .equals: return [.word("=")]
    case .loopKeyword: return [.word("in")]
    case .end: return canContinue ? [.word("else")] : []
    case .nextLine: return [.word("else")] + head
    case .alternative: return [.word("if")]
    case .head: return frame.readsKeys ? expression.candidates + head : head
    case .expression where frame.form?.isCheck == true:
      let check = CheckCandidates(words: frame.words, keys: keys, names: names)
      return check.candidates(for: context.word.text) + expression.candidates
    case .expression where frame.isCommand || frame.opening == .call: return expression.candidates
    case .arguments where frame.isPredicate:
      return expression.candidates + (expression.isComplete ? labels : [])
    case .arguments where frame.isCommand: return await arguments
    case .expression, .arguments, .recordKey: return await bracketContent
    }
  }

  private var canContinue: Bool {
    if case .block(.condition)? = context.frame.form { true } else { false }
  }

  private var command: (any CommandDeclaration.Type)? {
    context.frame.verb.flatMap { session.commands[$0] }
  }
}

// Commands.
extension CandidateFinder {
  /// A verb, or the name that an expression begins with.
  private var head: [CompletionCandidate] {
    let verbs = CompletionCandidate.words(session.commands.names)
    if context.frame.isPiped { return verbs }
    if context.word.text.contains(".") { return names.paths(for: context.word.text) }
    let acceptsLet = !context.frame.isBracket && context.frame.boundName == nil
    return verbs + (acceptsLet ? [.word("let")] : []) + names.all
  }

  private var arguments: [CompletionCandidate] {
    get async {
      let frame = context.frame
      guard let command else { return names.candidates(for: context.word.text) + labels }
      if let label = frame.label {
        let isValue = frame.group.isEmpty
        let declared = frame.labels(in: session.commands).first { $0.name == label }
        var candidates = databases.tablesOfFile.map { CompletionCandidate.words($0) } ?? []
        if let declared {
          candidates += await self.candidates(for: declared.type, isFirst: isValue)
        } else if command.labelsAreKeys {
          candidates += values.candidates(of: label, inExpression: false)
        }
        // After a value, a word may be the next label as well as a word that qualifies the value.
        return candidates + (isValue ? [] : labels)
      }
      let position = frame.numberOfArguments
      let parameter = command.parameter(at: position, after: frame.words)
      let isComplete = command.parameters.dropFirst(position).allSatisfy { $0.count == .optional }
      let candidates =
        if let parameter { await self.candidates(for: parameter.type) } else {
          [CompletionCandidate]()
        }
      return candidates + (isComplete ? labels : [])
        + (parameter == nil ? expression.openingOfBlock : [])
    }
  }

  /// The labels that the command accepts and does not have yet.
  private var labels: [CompletionCandidate] {
    let frame = context.frame
    guard let command else {
      let signature = frame.verb.flatMap { session.commands.signature(named: $0) }
      return (signature?.labels ?? []).filter { !frame.labels.contains($0.name) }
        .map { .word("\($0.name):") }
    }
    if command.labelsAreKeys { return keys.labels(besides: frame.labels) }
    let all =
      if command.form == .arguments, let source = subject.source {
        command.labels(for: source)
      } else {
        frame.labels(in: session.commands)
      }
    return all.filter { $0.isRepeatable || !frame.labels.contains($0.name) }
      .map { .word("\($0.name):") }
  }
}

// Values of declared types.
extension CandidateFinder {
  /// - Parameter isFirst: whether no word of the value precedes the cursor, since the last comma.
  private func candidates(
    for type: ArgumentType, isFirst: Bool = true
  ) async -> [CompletionCandidate] {
    let word = context.word
    if !isFirst, !type.hasSeveralWords { return [] }
    switch type {
    case .source: return names.sources(for: word.text)
    case .database: return names.openDatabases
    case .boundName: return CompletionCandidate.words(names.words)
    case .objects, .expression, .value: return names.candidates(for: word.text)
    case .keyPath(.everyRow), .keyPath(.someRows): return keys.candidates(for: word.text)
    case .sortDescriptors:
      return isFirst
        ? keys.candidates(for: word.text)
        : CompletionCandidate.words([SortList.word] + SortDescriptor.qualifiers.words)
    case .aggregate: return keys.aggregates(for: word.text)
    case .indexPath, .place, .places, .position: return [.word("[", endsWord: false)]
    case .section: return places.sections(for: word.text)
    case .title: return places.titles
    case .indexTitle: return await places.indexTitles
    case .path(let kind):
      return PathCandidates(folder: session.options.folder).candidates(of: kind, for: word.content)
    case .choice(let choices): return CompletionCandidate.words(choices.words)
    case .target:
      let files = PathCandidates(folder: session.options.folder)
      return names.tables(for: word.text) + files.candidates(of: .file, for: word.content)
    case .boolean: return CompletionCandidate.words(["true", "false"])
    case .verb: return CompletionCandidate.words(session.commands.names)
    case .helpTopic:
      return CompletionCandidate.words(
        session.commands.helpSubjects + session.commands.groups.map(\.title)
          + HelpTopic.namesOfFormats)
    case .helpWord: return CompletionCandidate.words(HelpSearch(session).words)
    case .outputStyle: return CompletionCandidate.words(session.options.styles.map(\.name))
    case .stubbedURL: return session.transports.stubs.map { .string($0.shownURL) }
    case .known(let noun): return CompletionCandidate.words(session.options.words[noun]?() ?? [])
    case .list(let element): return await candidates(for: element, isFirst: isFirst)
    case .phrase(let first, let rest): return await candidates(for: isFirst ? first : rest)
    case .either(let types):
      var candidates: [CompletionCandidate] = []
      for type in types { candidates += await self.candidates(for: type, isFirst: isFirst) }
      return candidates
    case .predicate, .newName, .keyPath(.response), .record, .integer, .seconds, .fraction,
      .string, .character, .url, .locale, .zone:
      return []
    }
  }

  private var bracketContent: [CompletionCandidate] {
    get async {
      let frame = context.frame
      let isFirst = frame.group.isEmpty && frame.expression.expected == .operand
      switch BracketContent(of: context, in: session.commands) {
      case .indexPath(let owner?) where isFirst:
        return index(of: PlaceCandidates(subject: names.subject(named: owner)))
      case .indexPath where isFirst, .indexPaths where isFirst: return index(of: places)
      case .section where isFirst && frame.commas == 0:
        return places.sections(for: context.word.text)
      case .elements(let type): return await candidates(for: type, isFirst: isFirst)
      case .keys where frame.phase == .recordKey: return keys.labels(besides: frame.labels)
      case .keys(let type):
        guard isFirst, let label = frame.label else { return [] }
        if let type { return await candidates(for: type) }
        return values.candidates(of: label, inExpression: false)
      case .values(let key) where isFirst:
        return values.candidates(ofPath: key, inExpression: frame.readsKeys)
      case .operands: return expression.candidates
      case .indexPath, .indexPaths, .section, .values, .nothing: return []
      }
    }
  }

  /// The sections, or after the comma the rows.
  private func index(of places: PlaceCandidates) -> [CompletionCandidate] {
    let frame = context.frame
    return frame.commas == 0
      ? places.sections(for: context.word.text) : places.rows(in: frame.firstElement)
  }
}

// The source that the command is about.
extension CandidateFinder {
  /// The first source that the innermost command with one names, else the source used last.
  private static func subject(
    of context: CompletionContext, in session: Session, _ names: NameCandidates, columns: [String]?
  ) -> CompletionSubject {
    for frame in context.frames.reversed() {
      for word in frame.words {
        if names.isLocal(word) { return names.subject(named: word) }
        if case .source(let source)? = session.names[word] {
          return CompletionSubject(source: source, columns: columns)
        }
      }
    }
    if columns != nil { return CompletionSubject(source: nil, columns: columns) }
    // A command that reads a file is about no source.
    let command = context.frames.compactMap { $0.verb.flatMap { session.commands[$0] } }.last
    let isAboutSource =
      command.map { $0.form != .arguments || $0.parameters.contains(where: \.type.acceptsSource) }
      ?? true
    return CompletionSubject(source: isAboutSource ? session.sourceInUse : nil)
  }

  private var keys: KeyCandidates { KeyCandidates(subject: subject) }
  private var places: PlaceCandidates { PlaceCandidates(subject: subject) }
  private var values: ValueCandidates { ValueCandidates(subject: subject, word: context.word) }

  private var expression: ExpressionCandidates {
    ExpressionCandidates(frame: context.frame, word: context.word, subject: subject, names: names)
  }
}

extension ArgumentType {
  /// Whether a value can consist of several words without commas between them.
  fileprivate var hasSeveralWords: Bool {
    switch self {
    case .sortDescriptors, .phrase: true
    case .list(let element): element.hasSeveralWords
    case .either(let types): types.contains(where: \.hasSeveralWords)
    default: false
    }
  }

  fileprivate var acceptsSource: Bool {
    switch self {
    case .source: true
    case .either(let types): types.contains(where: \.acceptsSource)
    default: false
    }
  }
}
