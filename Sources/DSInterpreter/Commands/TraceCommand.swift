import DataTables

/// `trace on|off`
struct TraceCommand: Command {
  static let names = ["trace"]
  static let synopsis = "trace [on|off]"
  static let summary = "Tells on standard error of every event as it happens, or no longer."
  static let notes = [
    "Each line begins with `trace:`; sources below the one that is fetched are indented, as in events."
  ]
  static let examples = ["trace on", "trace off"]
  static let seeAlso = ["events", "fetch"]

  let setting: Argument?

  init(parsing arguments: inout Arguments) throws { setting = arguments.take() }

  func run(in session: inout Session) async throws -> CommandResult {
    guard let setting else {
      let value: Value = session.options.traces ? "on" : "off"
      return CommandResult(.value(value), Output(.value(value)))
    }
    session.options.traces = try setting.choice(of: ["on", "off"], for: "setting") == "on"
    return CommandResult()
  }
}
