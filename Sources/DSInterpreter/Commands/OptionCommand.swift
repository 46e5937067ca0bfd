import DataTables

/// `option [NAME [VALUE]]`
struct OptionCommand: Command {
  private static let option = Parameter(
    "NAME", .choice(Choices("option", SessionOption.all.map(\.name))), .optional)
  private static let value = Parameter("VALUE", .string, .optional)

  static let names = ["option"]
  static let parameters = [option, value]
  static let summary = "Shows or changes a setting of the session."
  static var notes: [String] { SessionOption.all.map { "`\($0.name)`: \($0.summary)." } }
  static let examples = ["option limit 5000000", "option limit null", "option"]
  static let seeAlso = ["explain", "mode", "timer"]

  private let option: Argument?
  private let value: Argument?

  init(parsing arguments: inout Arguments) throws {
    option = try arguments.take(Self.option)
    value = try arguments.take(Self.value)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    guard let option else { return Self.all(in: session) }
    let name = try option.choice()
    guard let setting = SessionOption.all.first(where: { $0.name == name }) else {
      return Self.all(in: session)
    }
    if let value { try setting.set(value, &session.options) }
    let current = setting.value(session.options)
    return CommandResult(
      .value(current),
      Output(
        .report(
          Report(
            headline: "\(name): \(current.isNull ? "none" : current.json)",
            data: Record([("option", .string(name)), ("value", current)])))))
  }

  private static func all(in session: Session) -> CommandResult {
    let grid = Grid(
      columns: [Grid.Column("option"), Grid.Column("value"), Grid.Column("meaning")],
      rows: SessionOption.all.map {
        [.string($0.name), $0.value(session.options), .string($0.summary)]
      })
    return CommandResult(.value(grid.records), Output(.grid(grid)))
  }
}

/// A setting of the session that `option` changes.
struct SessionOption: Sendable {
  let name: String
  /// One line for help.
  let summary: String
  let value: @Sendable (SessionOptions) -> Value
  let set: @Sendable (Argument, inout SessionOptions) throws -> Void

  static let all = [
    SessionOption(
      name: "limit",
      summary: "the most objects to copy from a database for what it cannot compute; null for all",
      value: { $0.copyLimit.map(Value.integer) ?? .null },
      set: { argument, options in
        options.copyLimit =
          argument.isNull ? nil : try argument.typed(.nonNegativeInteger).integer()
      }),
    SessionOption(
      name: "rows",
      summary: "the most rows that tables show at once (more shows the next); null for all",
      value: { $0.rows.map(Value.integer) ?? .null },
      set: { argument, options in
        options.rows = argument.isNull ? nil : try argument.typed(.positiveInteger).integer()
      }),
    SessionOption(
      name: "pager",
      summary: "whether the prompt shows results that do not fit on the terminal in pages",
      value: { .string(($0.usesPager ? OnOff.on : .off).rawValue) },
      set: { argument, options in
        let setting = argument.typed(.choice(Choices("setting", OnOff.self)))
        options.usesPager = try setting.choice(as: OnOff.self) == .on
      }),
  ]
}
