import DataTables

/// `timer [on|off]`
struct TimerCommand: Command {
  static let names = ["timer"]
  static let parameters = [Parameter.setting]
  static let summary = "Turns the timer on or off; it shows how long each command takes."
  static let notes = ["`timer` without an argument shows whether it is on."]
  static let examples = ["timer on", "timer off"]
  static let seeAlso = ["mode"]

  private let setting: Argument?

  init(parsing arguments: inout Arguments) throws { setting = try arguments.take(.setting) }

  func run(in session: inout Session) async throws -> CommandResult {
    guard let setting else { return .setting(session.options.showsTime) }
    session.options.showsTime = try setting.choice(as: OnOff.self) == .on
    return CommandResult()
  }
}

/// `trace [on|off]`
struct TraceCommand: Command {
  static let names = ["trace"]
  static let parameters = [Parameter.setting]
  static let summary =
    "Turns the trace on or off; it prints events and statements to stderr as they happen."
  static let notes = [
    "Each line begins with `trace:`; wrapped sources are indented as in `events`. The statements that",
    "read a database, and those of `exec`, are shown with their values, rows and times.",
    "`trace` without an argument shows whether it is on.",
  ]
  static let examples = ["trace on", "trace off"]
  static let seeAlso = ["events", "explain", "fetch"]

  private let setting: Argument?

  init(parsing arguments: inout Arguments) throws { setting = try arguments.take(.setting) }

  func run(in session: inout Session) async throws -> CommandResult {
    guard let setting else { return .setting(session.options.traces) }
    session.options.traces = try setting.choice(as: OnOff.self) == .on
    session.traceStatements()
    return CommandResult()
  }
}

/// `mode [STYLE]`
struct ModeCommand: Command {
  private static let style = Parameter(.outputStyle, .optional)

  static let names = ["mode"]
  static let parameters = [style]
  static let summary = "Sets or shows the output style."
  static let notes = [
    "`mode` without an argument shows the style; Tab after `mode ` lists all styles."
  ]
  static let examples = ["mode", "mode table"]
  static let seeAlso = ["timer"]

  private let style: Argument?

  init(parsing arguments: inout Arguments) throws { style = try arguments.take(Self.style) }

  func run(in session: inout Session) async throws -> CommandResult {
    guard let style else {
      let value = Value.string(session.options.style)
      return CommandResult(.value(value), Output(.value(value)))
    }
    session.options.style = try style.choice(of: Choices("mode", session.options.styles))
    return CommandResult()
  }
}

extension CommandResult {
  fileprivate static func setting(_ isOn: Bool) -> CommandResult {
    let value = Value.string((isOn ? OnOff.on : .off).rawValue)
    return CommandResult(.value(value), Output(.value(value)))
  }
}
