import DataTables

/// `drop NAME …`
struct DropCommand: Command {
  static let names = ["drop"]
  static let synopsis = "drop NAME …"
  static let summary = "Forgets names; a source that others wrap stays with them."
  static let notes = [
    "A fetch in the background ends with the last name of its source and of all that wraps it."
  ]
  static let examples = ["drop letters"]
  static let seeAlso = ["rename", "list"]

  let targets: [Argument]

  init(parsing arguments: inout Arguments) throws {
    var targets = [try arguments.required("a name")]
    while let next = arguments.take() { targets.append(next) }
    self.targets = targets
  }

  func run(in session: inout Session) async throws -> CommandResult {
    var names: [String] = []
    // All are looked up before any is dropped.
    for target in targets {
      guard let name = target.word, session.names[name] != nil else {
        throw session.unknownName(target.span.text, "nothing is named", at: target.span)
      }
      names.append(name)
    }
    for name in names { session.unbind(name) }
    session.cancelUnnamedFetches()
    return CommandResult(
      .none,
      Output(
        .report(
          Report(
            headline: "\(names.joined(separator: ", ")): dropped",
            data: Record([("dropped", .array(names.map(Value.string)))])))))
  }
}
