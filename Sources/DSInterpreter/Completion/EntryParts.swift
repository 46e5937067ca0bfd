/// The parts of an unfinished entry that are shown in a style of their own.
///
/// Verbs, labels and strings are those of the tokens, because an entry that is being typed seldom
/// parses; ``UnknownWords`` finds the mistakes of what parses.
struct EntryParts {
  private(set) var parts: [EntryDecoration.Part] = []

  /// - Parameter cursor: a UTF-8 offset. A word that ends there may be unfinished.
  /// - Complexity: O(entry), and the costs of ``UnknownWords``.
  init(_ entry: String, cursor: Int, in session: Session) {
    let script = ScriptText(entry)
    var reader = EntryReader(script, cursor: cursor, commands: session.commands)
    _ = CompletionContext(
      line: entry, offset: script.bytes.count, commands: session.commands
    ) { token, text, frame in reader.take(token, text, in: frame) }
    reader.addRest()
    parts = reader.parts
    for range in UnknownWords(script, cursor: cursor, in: session).ranges {
      // While arguments are missing, the mistake of a command is at its verb.
      guard !parts.contains(where: { $0.range == range && $0.role == .verb }) else { continue }
      parts.removeAll { $0.range.overlaps(range) }
      parts.append(EntryDecoration.Part(range: range, role: .unknown))
    }
    parts.sort { $0.range.lowerBound < $1.range.lowerBound }
  }
}

/// Finds the roles of the tokens of an entry.
private struct EntryReader {
  private(set) var parts: [EntryDecoration.Part] = []
  private let script: ScriptText
  private let cursor: Int
  private let commands: CommandTable
  private var openBrackets: [(position: Int, bracket: UInt8)] = []
  /// The end of the last token.
  private var end = 0
  /// The verbs that the entry defines.
  private var definedVerbs: Set<String> = []

  init(_ script: ScriptText, cursor: Int, commands: CommandTable) {
    self.script = script
    self.cursor = cursor
    self.commands = commands
  }

  private mutating func add(_ range: Range<Int>, _ role: EntryDecoration.Role) {
    parts.append(EntryDecoration.Part(range: range, role: role))
  }

  mutating func take(_ token: Token, _ text: String, in frame: CompletionFrame) {
    addComments(before: token.start)
    end = token.end
    let range = token.start..<token.end
    switch token.kind {
    case .word:
      if isVerb(text, in: frame) { add(range, .verb) }
      if frame.phase == .definitionName { definedVerbs.insert(text) }
    case .label: add(range, accepts(text, in: frame) ? .label : .unknown)
    case .quoted: add(range, .string)
    case .punctuation(let bracket): takeBracket(bracket, at: token.start)
    case .symbol, .separator, .end: break
    }
  }

  private func isVerb(_ word: String, in frame: CompletionFrame) -> Bool {
    switch frame.phase {
    case .head: word == "let" || isCommand(word)
    case .nextLine: word == "else" || word == "let" || isCommand(word)
    case .end: word == "else"
    case .alternative: word == "if"
    default: false
    }
  }

  private func isCommand(_ word: String) -> Bool {
    commands[word] != nil || commands.signature(named: word) != nil || definedVerbs.contains(word)
  }

  /// Whether the command can have a label; true if that depends on more than the command.
  private func accepts(_ label: String, in frame: CompletionFrame) -> Bool {
    // The colon may belong to a URL.
    guard end != cursor, frame.isCommand, let command = frame.verb.flatMap({ commands[$0] }),
      command.form == .arguments, !command.labelsAreKeys
    else { return true }
    return command.allLabels.contains { $0.name == label }
  }

  private static let closing: [UInt8: UInt8] = [
    UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "["): UInt8(ascii: "]"),
    UInt8(ascii: "{"): UInt8(ascii: "}"),
  ]

  private mutating func takeBracket(_ bracket: UInt8, at position: Int) {
    if Self.closing[bracket] != nil {
      openBrackets.append((position, bracket))
    } else if Self.closing.values.contains(bracket) {
      close(bracket, at: position)
    }
  }

  private mutating func close(_ bracket: UInt8, at position: Int) {
    guard let opening = openBrackets.last, Self.closing[opening.bracket] == bracket else {
      add(position..<position + 1, .unmatchedBracket)
      return
    }
    openBrackets.removeLast()
    let isAtCursor = [position, position + 1, opening.position, opening.position + 1]
      .contains(cursor)
    guard isAtCursor else { return }
    add(opening.position..<opening.position + 1, .matchedBracket)
    add(position..<position + 1, .matchedBracket)
  }

  /// Adds the comments between the last token and the next one.
  private mutating func addComments(before next: Int) {
    guard end < next else { return }
    var rest = script.bytes[end..<next]
    while let start = rest.firstIndex(of: UInt8(ascii: "#")) {
      let lineEnd = rest[start...].firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      add(start..<lineEnd, .comment)
      rest = rest[lineEnd...]
    }
  }

  /// Adds what follows the last token: comments, and an open string.
  mutating func addRest() {
    let scanner = Scanner(Span(script, 0..<script.bytes.count))
    let start = scanner.skippingTrivia(from: end, lineEnds: true)
    addComments(before: start)
    if scanner.isQuote(start) { add(start..<script.bytes.count, .string) }
  }
}
