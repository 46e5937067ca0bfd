import DataSources
import DataTables

/// The words that can replace the text between `start` and the cursor.
public struct Completions: Sendable {
  /// A word to insert, and what to show next to it.
  public struct Candidate: Sendable, Hashable {
    public let text: String
    /// A few words that are shown and not inserted: the title of a section.
    public let description: String?
    /// Whether a space can follow. The text of a folder or of a function goes on instead.
    public let endsWord: Bool

    public init(_ text: String, description: String? = nil, endsWord: Bool = true) {
      self.text = text
      self.description = description
      self.endsWord = endsWord
    }
  }

  /// A UTF-8 offset into the line.
  public var start: Int
  public var candidates: [Candidate]

  public init(start: Int, candidates: [Candidate]) {
    self.start = start
    self.candidates = candidates
  }
}

extension Interpreter {
  /// The words that can be typed at `offset` (in UTF-8 bytes) of an unfinished line, or of several
  /// lines before and with it.
  ///
  /// Runs no command. Completing a path reads the names in one folder, completing a table or a column
  /// the catalog of its database, for a short time; completing a nested key or a value reads the
  /// first objects of a file.
  public func completions(for line: String, at offset: Int) async -> Completions {
    let none = Completions(start: offset, candidates: [])
    guard
      let context = CompletionContext(line: line, offset: offset, commands: session.commands)
    else { return none }
    if let statement = StatementContext(context, commands: session.commands) {
      return await session.completions(of: statement)
    }
    let finder = CandidateFinder(
      session: session, context: context, databases: await session.databaseWords(for: context))
    let candidates = CompletionCandidate.matching(context.word, await finder.candidates())
    return Completions(start: context.word.start, candidates: candidates)
  }
}
