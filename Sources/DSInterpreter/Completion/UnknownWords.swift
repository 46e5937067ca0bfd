import DataSources
import DataTables

/// The words of an entry that is being typed that cannot be right: verbs and names that do not exist,
/// wrong arguments, and keys that no object of the source has.
///
/// Runs no command and reads no file. Keys are checked only where the content of a named source is in
/// memory and the command reads them from it.
struct UnknownWords {
  /// In UTF-8 bytes of the entry.
  private(set) var ranges: [Range<Int>] = []
  private let script: ScriptText
  private let session: Session
  private let cursor: Int
  /// The names that the entry binds, whose sources are not known yet.
  private var boundNames: Set<String> = []
  private var definedVerbs: [String] = []

  /// In bytes. The mistakes of a longer entry, such as a pasted file, are reported when it is run.
  private static let maximumSize = 4_000

  /// - Parameter cursor: a UTF-8 offset. A word that ends there may be unfinished.
  /// - Complexity: O(entry); none of an entry of more than 4,000 bytes is read.
  init(_ script: ScriptText, cursor: Int, in session: Session) {
    self.script = script
    self.session = session
    self.cursor = cursor
    guard script.bytes.count <= Self.maximumSize else { return }
    // Without the command that reads other scripts. The verbs that they define are not known then.
    let commands = ParsedCommand.all(
      in: Span(script, 0..<script.bytes.count), commands: session.commands.withoutInclusion)
    let includesScript = commands.contains { command in
      guard case .line(let line) = command else { return false }
      return line.stages.contains { $0.command == session.commands.include }
    }
    for case .line(let line) in commands {
      definedVerbs += line.stages.compactMap { $0.definition?.signature.name }
    }
    for mistake in session.mistakes(in: commands, keepsGoing: false) {
      // The other kinds are those of text that is not finished.
      let isKnown: Bool =
        switch mistake.kind {
        case .unknownVerb: includesScript
        case .unknownName, .badArgument: false
        default: true
        }
      if !isKnown, let range = mistake.place.flatMap(range(of:)),
        // A source or a kind of error follows.
        !CheckCandidates.isBeginning(script.string(range)),
        !isEndedByNextWord(at: range)
      {
        // A word alone in its line is a verb as well as a name.
        let isAlone = mistake.place?.text.split(separator: " ").count == 1
        add(range, isVerb: mistake.kind == .unknownVerb || isAlone)
      }
    }
    for case .line(let line) in commands {
      switch line.kind {
      case .pipe(let pipe): visit(pipe)
      case .binding(let name, let pipe):
        visit(pipe)
        boundNames.insert(name.text)
      }
    }
  }

  /// Whether a mistake at the last word of the entry is that of an unfinished text, such as
  /// `fail: fetch `: with another word, the entry has none.
  private func isEndedByNextWord(at range: Range<Int>) -> Bool {
    guard range.upperBound < script.bytes.count,
      script.bytes[range.upperBound...].allSatisfy({ $0 == UInt8(ascii: " ") })
    else { return false }
    let longer = ScriptText(script.string(0..<script.bytes.count) + " 1")
    let commands = ParsedCommand.all(
      in: Span(longer, 0..<longer.bytes.count), commands: session.commands.withoutInclusion)
    return session.mistakes(in: commands, keepsGoing: false).isEmpty
  }

  /// The range of a place in the bytes of the script; nil for a place in another script, such as one
  /// that defined a verb.
  private func range(of place: SourcePlace) -> Range<Int>? {
    let line = script.line(place.line)
    guard place.file == nil, script.string(line) == place.text else { return nil }
    let before = place.text.prefix(max(0, place.column - 1))
    let start = line.lowerBound + before.utf8.count
    return start..<start + place.text.dropFirst(before.count).prefix(place.length).utf8.count
  }

  /// - Parameter isVerb: whether the word is a verb; before the cursor, any other may become a right
  ///   one, such as a label.
  private mutating func add(_ range: Range<Int>, isVerb: Bool = false) {
    guard !range.isEmpty else { return }
    if range.upperBound == cursor, !isVerb || canContinue(script.string(range)) { return }
    ranges.append(range)
  }

  /// Whether a longer word than the one before the cursor is known. The words that begin expressions
  /// are few and short, so they are not searched.
  private func canContinue(_ word: String) -> Bool {
    guard let first = word.first, first.isLetter || first == "_", word.count > 2 else {
      return true
    }
    return (session.commands.names + definedVerbs).contains { $0.hasPrefix(word) }
      || session.bindings.contains { $0.name.hasPrefix(word) }
  }
}

// Keys.
extension UnknownWords {
  private mutating func visit(_ pipe: Pipe) {
    var content: Snapshot?
    if case .name(let name)? = pipe.head?.kind { content = self.content(of: name) }
    for stage in pipe.stages {
      if case .source? = stage.command.parameters.first?.type,
        stage.command.parameters.first?.count != .repeated,
        case .word(let name)? = stage.atoms.first?.kind
      {
        content = self.content(of: name) ?? content
      }
      if let content { visit(stage, about: content) }
      // A new source may have other keys.
      if case .newSource = stage.command.resultKind { content = nil }
    }
  }

  private func content(of name: String) -> Snapshot? {
    guard !boundNames.contains(name), case .source(let source)? = session.names[name] else {
      return nil
    }
    return source.state.snapshot
  }

  private mutating func visit(_ stage: Stage, about content: Snapshot) {
    guard stage.command.form == .arguments, !stage.command.labelsAreKeys else { return }
    for value in stage.labels {
      let type = stage.command.allLabels.first { $0.name == value.label.text }?.type
      switch value.content {
      // The names in a subquery are keys of its elements.
      case .predicate(let predicate) where !predicate.hasSubquery:
        for name in predicate.names { check(name.text, at: name.span, in: content) }
      case .groups(let groups) where type?.namesKeys ?? false:
        for group in groups { if let first = group.first { checkKey(first, in: content) } }
      case .predicate, .groups: break
      }
    }
  }

  private mutating func checkKey(_ atom: Atom, in content: Snapshot) {
    switch atom.kind {
    case .word(let word):
      guard let path = try? ObjectKeyPath(parsing: word), case .key(let key)? = path.steps.first,
        key != "null"
      else { return }
      check(key, at: atom.span, in: content)
    case .list(let atoms): for atom in atoms { checkKey(atom, in: content) }
    default: break
    }
  }

  private mutating func check(_ key: String, at span: Span, in content: Snapshot) {
    // The last word of the entry may be an operator that lacks its operands.
    let rest = script.bytes[span.end...]
    guard rest.contains(where: { $0 != UInt8(ascii: " ") }) else { return }
    if Session.isUnknown(key, to: content) { add(span.start..<span.end) }
  }
}

extension Expression {
  fileprivate var hasSubquery: Bool {
    if case .subquery = kind { true } else { parts.contains(where: \.hasSubquery) }
  }
}

extension ArgumentType {
  /// Whether the first word of each element is a key of the objects.
  fileprivate var namesKeys: Bool {
    switch self {
    case .keyPath(.everyRow), .keyPath(.someRows), .sortDescriptors: true
    case .list(let element): element.namesKeys
    default: false
    }
  }
}
