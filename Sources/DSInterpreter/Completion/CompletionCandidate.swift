import DataTables

/// A word that a place accepts, before it is compared with what has been typed.
struct CompletionCandidate {
  /// How the word is written.
  enum Form {
    /// Only as it is.
    case word
    /// As a string: in the quotes that are open, else in quotes if it needs them.
    case string
    /// As a string in quotes.
    case quoted
    /// As a string in quotes, which stay open: a folder, or the beginning of another word.
    case beginning
  }

  let text: String
  /// The text without quotes, with which typed words are compared.
  let content: String
  let form: Form
  let description: String?
  let endsWord: Bool

  private init(
    _ text: String, content: String? = nil, _ form: Form, _ description: String?, endsWord: Bool
  ) {
    self.text = text
    self.content = content ?? text
    self.form = form
    self.description = description
    self.endsWord = endsWord
  }

  /// A word of the language, a name or a key path.
  ///
  /// - Parameter content: the word without quotes; nil for a word without any.
  static func word(
    _ text: String, content: String? = nil, description: String? = nil, endsWord: Bool = true
  ) -> Self {
    Self(text, content: content, .word, description, endsWord: endsWord)
  }

  static func string(_ text: String, description: String? = nil) -> Self {
    Self(text, .string, description, endsWord: true)
  }

  /// The path of a folder, which ends in `/`.
  static func folder(_ path: String) -> Self { Self(path, .beginning, nil, endsWord: false) }

  static func words(_ words: some Sequence<String>) -> [Self] { words.map { .word($0) } }

  /// The candidates that continue a typed word, each once, in their order.
  static func matching(
    _ word: UnfinishedWord, _ candidates: [Self]
  ) -> [Completions.Candidate] {
    let matching = candidates.filter { $0.continues(word) }
    // Words with a common beginning are written alike, so that the beginning can be inserted.
    let areQuoted =
      !word.isEmpty
      && matching.contains { $0.form != .word && !WrittenString.isWord($0.content) }
    var seen: Set<String> = []
    return matching.compactMap { candidate in
      let text = candidate.written(for: word, areQuoted: areQuoted)
      guard text != word.text, seen.insert(text).inserted else { return nil }
      return Completions.Candidate(
        text, description: candidate.description, endsWord: candidate.endsWord)
    }
  }

  private func continues(_ word: UnfinishedWord) -> Bool {
    if word.quote != nil {
      return form == .word ? text.hasPrefix(word.text) : content.hasPrefix(word.content)
    }
    return content.hasPrefix(word.content) || text.hasPrefix(word.text)
  }

  private func written(for word: UnfinishedWord, areQuoted: Bool) -> String {
    guard form != .word else { return text }
    if form != .quoted, word.quote == nil, !areQuoted, WrittenString.isWord(content) {
      return content
    }
    let quoted = WrittenString.quoted(content, by: word.quote ?? "\"")
    return form == .beginning ? String(quoted.dropLast()) : quoted
  }
}

/// Strings as they are typed among arguments.
enum WrittenString {
  /// Whether a string can be written without quotes.
  static func isWord(_ string: String) -> Bool {
    guard !string.isEmpty, !string.hasPrefix("$"), string != "_", string != "env",
      case .string = Value(literal: string), !string.contains("\""), !string.contains("'")
    else { return false }
    let count = string.utf8.count
    var scanner = Scanner(Span(ScriptText(string), 0..<count))
    guard let token = try? scanner.next(.arguments) else { return false }
    return token.kind == .word && token.start == 0 && token.end == count
      // Such words end differently in expressions.
      && !string.contains("[") && !string.hasSuffix("\\") && !string.hasSuffix(";")
  }

  /// The string in quotes: in `'` if these were typed and can enclose it, else in `"`.
  static func quoted(_ string: String, by quote: Character) -> String {
    if quote == "'", !string.contains("'") { return "'\(string)'" }
    return Value.string(string).json
  }
}

// Values as they are typed.
extension CompletionCandidate {
  /// A value; nil for one that cannot be typed in a few characters.
  ///
  /// - Parameter inExpression: whether a string needs quotes in any case.
  static func value(_ value: Value, inExpression: Bool, description: String? = nil) -> Self? {
    switch value {
    case .string(let string):
      guard !string.isEmpty, string.count <= maxLength else { return nil }
      return Self(
        inExpression ? WrittenString.quoted(string, by: "\"") : string, content: string,
        inExpression ? .quoted : .string, description, endsWord: true)
    case .bool, .integer, .real, .date:
      // Dates are written without quotes. NaN and the infinities cannot be written as numbers.
      let text = value.json.filter { $0 != "\"" }
      guard Value(literal: text) == value, !text.contains(" ") else { return nil }
      return .word(text, description: description)
    case .null, .array, .record, .data: return nil
    }
  }

  /// The maximum number of characters of a string that is offered.
  private static let maxLength = 80
}
