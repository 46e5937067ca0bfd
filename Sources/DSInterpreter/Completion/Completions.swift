import DataSources
import DataTables

/// The words that can replace the text between `start` and the cursor.
public struct Completions: Sendable {
  /// A UTF-8 offset into the line.
  public var start: Int
  public var candidates: [String]

  public init(start: Int, candidates: [String]) {
    self.start = start
    self.candidates = candidates
  }
}

extension Interpreter {
  /// The words that can be typed at `offset` (in UTF-8 bytes) of an unfinished line.
  ///
  /// Runs no command. Completing a path reads the names in one folder, completing a table or a column
  /// the catalog of its database, for a short time.
  public func completions(for line: String, at offset: Int) async -> Completions {
    guard
      let context = CompletionContext(line: line, offset: offset, commands: session.commands)
    else {
      if let statement = StatementContext(line: line, offset: offset, commands: session.commands) {
        return await session.completions(of: statement)
      }
      return Completions(start: offset, candidates: [])
    }
    let words = session.words(for: context, await session.databaseWords(for: context))
    let candidates = words.filter { $0.hasPrefix(context.prefix) && $0 != context.prefix }
    return Completions(start: context.start, candidates: candidates)
  }
}

extension Session {
  /// The words that a context allows, whether they match its prefix or not.
  fileprivate func words(
    for context: CompletionContext, _ databases: DatabaseWords
  ) -> [String] {
    let frame = context.frame
    if context.prefix.contains("."), frame.label == nil,
      let words = databases.words(for: context.prefix) ?? properties(context.prefix)
    {
      return words
    }
    let names = bindings.map(\.name)
    if frame.isAtHead { return commands.names + ["let"] + names }
    guard let command = frame.verb.flatMap({ commands[$0] }), command.form == .arguments else {
      let signature = frame.verb.flatMap { commands.signature(named: $0) }
      return names + (signature?.labels.map { "\($0.name):" } ?? [])
    }
    let inner = source(of: frame)
    let subject = CompletionSubject(
      keys: databases.columns ?? inner?.nearestKeys ?? [], tables: databases.tables(under:))
    let labels = labelWords(of: command, source: inner, subject)
    if let name = frame.label {
      let type = command.allLabels.first { $0.name == name }?.type ?? .value
      let candidates =
        databases.tablesOfFile ?? type.candidates(for: context.prefix, of: subject, in: self)
      // After a value, a word may be the next label as well as another value of this one.
      let isValue = context.prefix.isEmpty || frame.bracketDepth > 0 || !frame.hasLabelValue
      return candidates + (isValue ? [] : labels)
    }
    guard frame.bracketDepth == 0 else { return names }
    let position = frame.numberOfArguments
    let parameters = command.parameters
    let parameter = command.parameter(at: position, after: frame.words)
    let candidates =
      parameter?.type.candidates(for: context.prefix, of: subject, in: self) ?? []
    let isComplete = parameters.dropFirst(position).allSatisfy { $0.count == .optional }
    return candidates + (isComplete ? labels : [])
  }

  private func labelWords(
    of command: any CommandDeclaration.Type, source: (any DataSource)?, _ subject: CompletionSubject
  ) -> [String] {
    if command.labelsAreKeys { return subject.keys.map { "\($0):" } }
    let labels = source.map { command.labels(for: $0) } ?? command.allLabels
    return labels.map { "\($0.name):" }
  }

  /// The properties of a source: `letters.numberOfSections`; nil unless a source precedes the dot.
  private func properties(_ prefix: String) -> [String]? {
    let name = String(prefix.prefix { $0 != "." })
    guard case .source? = self.names[name] else { return nil }
    return SourceProperty.all.map { "\(name).\($0.name)" }
  }

  /// The first source that the command names, else the source used last.
  private func source(of frame: CompletionContext.Frame) -> (any DataSource)? {
    for word in frame.words {
      if case .source(let source)? = self.names[word] { return source }
    }
    return lastSource
  }
}

/// The keys and tables that the arguments of a command can name.
private struct CompletionSubject {
  let keys: [String]
  /// The tables that complete a word.
  let tables: (String) -> [String]
}

extension ArgumentType {
  /// The words that complete a value.
  fileprivate func candidates(
    for prefix: String, of subject: CompletionSubject, in session: Session
  ) -> [String] {
    switch self {
    case .source:
      session.bindings.compactMap { if case .source = $0.value { $0.name } else { nil } }
        + subject.tables(prefix)
    case .database:
      session.bindings.compactMap { if case .database = $0.value { $0.name } else { nil } }
    case .boundName, .objects, .expression: session.bindings.map(\.name)
    case .keyPath(.everyRow), .keyPath(.someRows): Self.keys(subject.keys, prefix)
    case .predicate: Self.keys(subject.keys, prefix) + (prefix.isEmpty ? [] : Self.predicateWords)
    case .sortDescriptors:
      Self.keys(subject.keys, prefix) + SortDescriptor.qualifiers.words + [SortList.word]
    case .aggregate:
      if let dot = prefix.firstIndex(of: ".") {
        subject.keys.map { prefix[...dot] + $0 }
      } else {
        CollectionOperator.allCases.map(\.rawValue)
      }
    case .path(let kind): session.paths(of: kind, prefix)
    case .choice(let choices): choices.words
    case .boolean: ["true", "false"]
    case .verb: session.commands.names
    case .helpTopic: HelpTopic.subjects + session.commands.groups.map(\.title)
    case .outputStyle: session.options.styles.map(\.name)
    case .stubbedURL: session.transports.stubs.map(\.shownURL)
    case .record(let element), .list(let element):
      element.candidates(for: prefix, of: subject, in: session)
    case .phrase(let first, let words):
      first.candidates(for: prefix, of: subject, in: session) + words.words
    case .either(let types):
      types.flatMap { $0.candidates(for: prefix, of: subject, in: session) }
    case .newName, .keyPath(.response), .indexPath, .place, .places, .section, .value, .integer,
      .seconds,
      .string, .character, .url, .locale, .zone:
      []
    }
  }

  /// The words of predicates that are not keys. They are many, so they follow a first letter.
  private static let predicateWords =
    ComparisonOperator.Kind.allCases.map(\.rawValue).filter { $0.first?.isLetter == true }
    + ComparisonOperator.Quantifier.allCases.map { $0.rawValue.uppercased() }
    + ["AND", "OR", "NOT", "SELF", "TRUEPREDICATE", "FALSEPREDICATE", "YES", "NO"]
    + CallWord.names.map { $0 + "(" }

  /// The keys of a source or, after a dot, the derived keys.
  private static func keys(_ keys: [String], _ prefix: String) -> [String] {
    if keys.isEmpty { return [] }
    if let dot = prefix.lastIndex(of: ".") {
      return DerivedKey.all.map { prefix[...dot] + $0.name }
    }
    return keys
  }
}

extension DataSource {
  /// The keys, as key paths, of the source, else of the nearest source below that has keys. The
  /// search follows the first child of each source.
  fileprivate var nearestKeys: [String] {
    var next: (any DataSource)? = self
    while let source = next {
      if let keys = source.state.snapshot?.keys, !keys.isEmpty {
        return keys.map { ObjectKeyPath(key: $0).description }
      }
      next = source.children.first
    }
    return []
  }
}

extension Session {
  /// The paths in the folder of the typed path: its subfolders, and the files that `kind` includes.
  fileprivate func paths(of kind: PathKind, _ prefix: String) -> [String] {
    let folder = FilePath.folder(of: prefix)
    let lead = folder.isEmpty ? "" : folder.hasSuffix("/") ? folder : folder + "/"
    let isHidden = prefix.lastPathComponent.hasPrefix(".") && !prefix.hasSuffix("/")
    return Folder.names(in: FilePath.resolve(FilePath.expandingHome(folder), in: options.folder))
      .filter { isHidden || !$0.hasPrefix(".") }
      .filter { $0.hasSuffix("/") || kind.includes($0) }
      .map { lead + $0 }
      .filter { $0.allSatisfy { !$0.isWhitespace && !"[]{}(),|;\"'".contains($0) } }
  }
}

extension PathKind {
  fileprivate func includes(_ name: String) -> Bool {
    switch self {
    case .data, .file: true
    // A Markdown file is a script that consists of its fenced examples.
    case .script: name.hasSuffix(".ds") || name.hasSuffix(".md")
    case .folder: false
    }
  }
}
