import DataTables

/// `apropos WORD …`
struct AproposCommand: Command {
  private static let word = Parameter(.helpWord, .repeated)

  static let names = ["apropos"]
  static let parameters = [word]
  static let summary = "Searches help: names, summaries, notes, labels, options and topics."
  static let notes = ["A subject is listed if it mentions all words, in any case."]
  static let examples = ["apropos sort", "apropos index title"]
  static let seeAlso = ["help"]

  private let words: [Argument]

  init(parsing arguments: inout Arguments) throws {
    var words = [try arguments.require(Self.word)]
    while let word = try arguments.take(Self.word) { words.append(word) }
    self.words = words
  }

  func run(in session: inout Session) async throws -> CommandResult {
    var texts: [String] = []
    for word in words { texts.append(try await word.string(in: &session)) }
    let matches = HelpSearch(session).matches(texts)
    guard !matches.isEmpty else {
      throw words[0].error(
        .notFound,
        "help does not mention `\(texts.joined(separator: " "))` (help lists all subjects)")
    }
    let grid = Grid(
      columns: [Grid.Column("help"), Grid.Column("text")],
      rows: matches.map { [.string($0.command), .string($0.line)] }, hidesHeader: true)
    return CommandResult(.none, Output(.grid(grid)))
  }
}
