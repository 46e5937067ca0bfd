import DataTables

/// `timer on|off`
struct TimerCommand: Command {
  static let names = ["timer"]
  static let synopsis = "timer [on|off]"
  static let summary = "Shows after every command how long it took, or no longer."
  static let examples = ["timer on", "timer off"]
  static let seeAlso = ["mode"]

  let setting: Argument?

  init(parsing arguments: inout Arguments) throws { setting = arguments.take() }

  func run(in session: inout Session) async throws -> CommandResult {
    guard let setting else {
      let value: Value = session.options.showsTime ? "on" : "off"
      return CommandResult(.value(value), Output(.value(value)))
    }
    session.options.showsTime = try setting.choice(of: ["on", "off"], for: "setting") == "on"
    return CommandResult()
  }
}
