/// The subjects of help that mention words.
struct HelpSearch {
  /// A subject of help and its lines; the first ones say most about it.
  private struct Entry {
    /// The command that shows the subject: `help sectioned`.
    let command: String
    let names: [String]
    /// The names of its labels.
    var labels: [String] = []
    let lines: [String]
  }

  /// A subject that mentions all words, with the line that shows it.
  struct Match {
    let command: String
    let line: String
  }

  private let entries: [Entry]

  init(_ session: Session) {
    let commands = session.commands.commands.map { command in
      let notes = (command as? any Command.Type)?.notes(in: session) ?? command.notes
      return Entry(
        command: "help \(command.name)", names: command.names,
        labels: command.listedLabels.map(\.name),
        lines: [command.summary] + notes + command.listedLabels.map { "\($0.name): \($0.help)" })
    }
    let groups = session.commands.groups.filter { session.commands[$0.title] == nil }.map {
      Entry(command: "help \($0.title)", names: [$0.title], lines: [$0.task])
    }
    let options = SessionOption.all.map {
      Entry(command: "option \($0.name)", names: [$0.name], lines: [$0.summary])
    }
    let topics = session.commands.helpTopics.map {
      Entry(command: "help \($0.name)", names: [$0.name], lines: $0.lines)
    }
    entries = commands + groups + options + topics
  }

  /// The names of the subjects and of their labels, each once, for completion.
  var words: [String] {
    var seen: Set<String> = []
    return (entries.flatMap(\.names) + entries.flatMap(\.labels))
      .filter { seen.insert($0).inserted }
  }

  /// The subjects that mention all words in any case: first those with a word in their names, then
  /// those with one in their summaries.
  func matches(_ words: [String]) -> [Match] {
    let words = words.map { $0.lowercased() }
    let found = entries.compactMap { entry -> (rank: Int, match: Match)? in
      let names = entry.names.map { $0.lowercased() }
      let lines = entry.lines.map { $0.lowercased() }
      guard words.allSatisfy({ word in (names + lines).contains { $0.contains(word) } }) else {
        return nil
      }
      let isNamed = names.contains { name in words.contains { name.contains($0) } }
      let line = lines.firstIndex { line in words.contains { line.contains($0) } } ?? 0
      let shown = isNamed ? 0 : line
      let text = String(entry.lines[shown].drop { $0 == " " })
      return (isNamed ? 0 : line == 0 ? 1 : 2, Match(command: entry.command, line: text))
    }
    return (0...2).flatMap { rank in found.filter { $0.rank == rank }.map(\.match) }
  }
}
