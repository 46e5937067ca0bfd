import DataTables

/// `help [COMMAND|TOPIC]`
struct HelpCommand: Command {
  static let names = ["help"]
  static let synopsis = "help [COMMAND | TOPIC]"
  static let summary = "Tells what can be typed."
  static let notes = ["`help examples` gives the examples of all as a script."]
  static let examples = ["help", "help sectioned", "help sort"]

  let subject: Argument?

  init(parsing arguments: inout Arguments) throws { subject = arguments.take() }

  /// What there is help on.
  static func subjects(_ commands: CommandTable) -> [String] {
    commands.names + HelpTopic.all.map(\.name) + [HelpExamples.name]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    guard let subject else {
      return CommandResult(.none, HelpOverview(commands: session.commands).output)
    }
    let name = subject.text ?? subject.span.text
    if let command = session.commands[name] {
      return CommandResult(.none, CommandHelp(command, commands: session.commands).output)
    }
    if let topic = HelpTopic.all.first(where: { $0.name == name }) {
      return CommandResult(.none, topic.output)
    }
    if name == HelpExamples.name { return CommandResult(.none, HelpExamples().output) }
    let near = Suggestion.nearest(to: name, among: Self.subjects(session.commands))
    throw subject.error(
      .notFound, "no help on `\(name)`\(near == nil ? " (help lists all)" : "")", suggestion: near)
  }
}
