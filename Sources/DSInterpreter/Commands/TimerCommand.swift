import DataTables

/// `timer [on|off]`
struct TimerCommand: Command {
  static let names = ["timer"]
  static let parameters = [Parameter.setting]
  static let summary = "Turns the timer on or off; it shows how long each command takes."
  static let notes = ["`timer` without an argument shows whether it is on."]
  static let examples = ["timer on", "timer off"]
  static let seeAlso = ["option", "mode"]

  private let setting: Argument?

  init(parsing arguments: inout Arguments) throws { setting = try arguments.take(.setting) }

  func run(in session: inout Session) async throws -> CommandResult {
    try SessionOption.timer.result(of: setting, in: &session)
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
  static let seeAlso = ["option", "events", "explain", "fetch"]

  private let setting: Argument?

  init(parsing arguments: inout Arguments) throws { setting = try arguments.take(.setting) }

  func run(in session: inout Session) async throws -> CommandResult {
    try SessionOption.trace.result(of: setting, in: &session)
  }
}

/// `mode [STYLE]`
struct ModeCommand: Command {
  private static let style = Parameter(.outputStyle, .optional)

  static let names = ["mode"]
  static let parameters = [style]
  static let summary = "Sets or shows the output style."
  static let notes = ["`mode` without an argument shows the style."]
  static let examples = ["mode", "mode table"]
  static let seeAlso = ["option", "timer"]

  private let style: Argument?

  /// The styles with their summaries.
  static func notes(in session: Session) -> [String] {
    let styles = session.options.styles
    let width = (styles.map(\.name.count).max() ?? 0) + 2
    return notes + styles.map { "  " + padded($0.name, to: width) + $0.summary }
  }

  init(parsing arguments: inout Arguments) throws { style = try arguments.take(Self.style) }

  func run(in session: inout Session) async throws -> CommandResult {
    try SessionOption.mode.result(of: style, in: &session)
  }
}

extension SessionOption {
  /// The result of a verb that sets the option, or shows it without an argument.
  fileprivate func result(
    of argument: Argument?, in session: inout Session
  ) throws -> CommandResult {
    if let argument {
      try set(argument, in: &session)
      return CommandResult()
    }
    let current = value(session)
    return CommandResult(.value(current), Output(.value(current)))
  }
}
