import DataTables

/// `mode [STYLE]`
struct ModeCommand: Command {
  static let names = ["mode"]
  static let synopsis = "mode [STYLE]"
  static let summary = "Sets the style in which results are shown, or tells it."
  static let examples = ["mode", "mode table"]
  static let seeAlso = ["timer"]

  let style: Argument?

  init(parsing arguments: inout Arguments) throws { style = arguments.take() }

  func run(in session: inout Session) async throws -> CommandResult {
    guard let style else {
      let value = Value.string(session.options.style)
      return CommandResult(.value(value), Output(.value(value)))
    }
    session.options.style = try style.choice(of: session.options.styles, for: "mode")
    return CommandResult()
  }
}
