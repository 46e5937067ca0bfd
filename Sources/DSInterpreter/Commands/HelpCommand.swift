import DataTables

/// `help [COMMAND | TOPIC]`
struct HelpCommand: Command {
  private static let subject = Parameter(
    "COMMAND | TOPIC", .either([.verb, .helpTopic]), .optional)

  static let names = ["help"]
  static let parameters = [subject]
  static let summary = "Shows help: an overview, or the details of a command or a topic."
  static let notes = ["`help examples` prints all examples as a script."]
  static let examples = ["help", "help sectioned", "help sort"]

  private let subject: Argument?

  init(parsing arguments: inout Arguments) throws { subject = try arguments.take(Self.subject) }

  func run(in session: inout Session) async throws -> CommandResult {
    guard let subject else {
      return CommandResult(.none, HelpOverview(commands: session.commands).output)
    }
    let name = subject.text ?? subject.span.text
    if let command = session.commands[name] {
      return CommandResult(.none, CommandHelp(command, commands: session.commands).output)
    }
    if let signature = session.commands.signature(named: name) {
      return CommandResult(.none, signature.help)
    }
    if let topic = HelpTopic.all.first(where: { $0.name == name }) {
      return CommandResult(.none, topic.output)
    }
    if let topic = HelpTopic.format(named: name) { return CommandResult(.none, topic.output) }
    if name == HelpExamples.name { return CommandResult(.none, HelpExamples().output) }
    let near = Suggestion.nearest(
      to: name, among: session.commands.names + HelpTopic.subjects)
    throw subject.error(
      .notFound, "no help on `\(name)`\(near == nil ? " (help lists all subjects)" : "")",
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
