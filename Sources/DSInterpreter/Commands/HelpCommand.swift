import DataTables

/// `help [COMMAND | TASK | TOPIC]`
struct HelpCommand: Command {
  private static let subject = Parameter(
    "COMMAND | TASK | TOPIC", .either([.verb, .helpTopic]), .optional)

  static let names = ["help"]
  static let parameters = [subject]
  static let summary = "Shows help: the tasks, or the details of a command, a task or a topic."
  static let notes = [
    "`help commands` lists all commands, `help errors` the kinds of errors; `help examples` prints all",
    "examples as a script.",
  ]
  static let examples = ["help", "help sectioned", "help group", "help sort"]
  static let seeAlso = ["apropos"]

  private let subject: Argument?

  init(parsing arguments: inout Arguments) throws { subject = try arguments.take(Self.subject) }

  func run(in session: inout Session) async throws -> CommandResult {
    let commands = session.commands
    let folder = session.options.examplesFolder
    guard let subject else {
      return CommandResult(.none, HelpOverview(commands: commands).output)
    }
    let name = subject.text ?? subject.span.text
    if let command = commands[name] {
      let notes = (command as? any Command.Type)?.notes(in: session)
      return CommandResult(
        .none, CommandHelp(command, commands: commands, notes: notes, folder: folder).output)
    }
    if let signature = commands.signature(named: name) {
      return CommandResult(.none, signature.help)
    }
    if let group = commands.groups.first(where: { $0.title == name }) {
      return CommandResult(.none, HelpCommandList(groups: [group]).output)
    }
    if let topic = commands.helpTopics.first(where: { $0.name == name }) ?? .format(named: name) {
      return CommandResult(.none, topic.output(folder: folder))
    }
    switch name {
    case HelpCommandList.name:
      return CommandResult(.none, HelpCommandList(groups: commands.groups).output)
    case HelpExamples.name: return CommandResult(.none, HelpExamples().output)
    default: break
    }
    let near = Suggestion.nearest(
      to: name, among: commands.names + commands.helpSubjects + commands.groups.map(\.title))
    throw subject.error(
      .notFound,
      "no help on `\(name)`"
        + (near == nil ? " (help lists all subjects, apropos \(name) searches them)" : ""),
      suggestion: near)
  }
}

extension Signature {
  /// The help of a verb that a script defines.
  fileprivate var help: Output {
    let location = place.file.map { "\($0):\(place.line)" } ?? "line \(place.line)"
    let data = Record([("synopsis", .string(synopsis)), ("definition", .string(location))])
    return Output(.text([synopsis, "  Defined at \(location)."], data: .record(data)))
  }
}
