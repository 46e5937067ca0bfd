import DataTables
import Databases

/// The position of the cursor in an unfinished statement of a database: `query shop "SELECT na`.
struct StatementContext {
  /// The name of the database.
  let database: String
  /// The statement before ``prefix``.
  let text: Substring
  /// The part of the word at the cursor that has been typed.
  let prefix: Substring
  /// The UTF-8 offset of the first byte of ``prefix``.
  let start: Int

  /// Returns nil unless the cursor is in the statement of `query` or `exec`, outside of its strings.
  init?(_ context: CompletionContext, commands: CommandTable) {
    let frame = context.frame
    guard context.word.quote != nil, frame.phase == .arguments,
      let command = frame.verb.flatMap({ commands[$0] }),
      command.parameters.count == 2, case .database = command.parameters[0].type,
      frame.numberOfArguments == 1, let database = frame.words.last
    else { return nil }
    let statement = context.word.text.dropFirst()
    guard statement.count(where: { $0 == "'" }).isMultiple(of: 2) else { return nil }
    let word = statement.reversed().prefix {
      $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")
    }
    prefix = statement.suffix(word.count)
    text = statement.dropLast(word.count)
    start = context.word.start + context.word.text.utf8.count - prefix.utf8.count
    self.database = database
  }

  /// The words of the statement before the cursor.
  fileprivate var words: [Substring] {
    text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
  }

  /// Whether a table follows.
  fileprivate var expectsTable: Bool {
    let keywords: Set = ["from", "join", "into", "update", "table"]
    return text.last.map { !",(".contains($0) } ?? false
      && (words.last.map { keywords.contains($0.lowercased()) } ?? false)
  }
}

extension Session {
  /// The tables, and the columns of the tables that the statement names, that need no quotes.
  func completions(of statement: StatementContext) async -> Completions {
    var found = Completions(start: statement.start, candidates: [])
    guard case .database(let opened)? = names[statement.database] else { return found }
    let tables = await opened.names.currentTables().map(\.name)
    var words = tables
    if !statement.expectsTable {
      let named = Set(statement.words.map { $0.lowercased() })
      for table in tables where named.contains(table.lowercased()) {
        words = (await opened.names.columns(of: [table]) ?? []) + words
      }
    }
    var seen: Set<String> = []
    found.candidates = words.filter { word in
      word.hasPrefix(statement.prefix) && word != statement.prefix && word.isPlainName
        && seen.insert(word).inserted
    }.map { Completions.Candidate($0) }
    return found
  }
}

extension String {
  /// Whether SQL accepts the name without quotes.
  fileprivate var isPlainName: Bool {
    guard let first, first.isLetter || first == "_" else { return false }
    return allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }
}
