import DataTables

/// `option [NAME [VALUE]]`
struct OptionCommand: Command {
  private static let option = Parameter(
    "NAME", .choice(Choices("option", SessionOption.all.map(\.name))), .optional)
  private static let value = Parameter("VALUE", .string, .optional)

  static let names = ["option"]
  static let parameters = [option, value]
  static let summary = "Lists the settings of the session, or shows or changes one."
  static var notes: [String] { SessionOption.all.map { "`\($0.name)`: \($0.summary)." } }
  static let examples = [
    "option limit 5000000", "option limit null", "option mode table", "option",
    "option base https://example.test/v1; let foods = remote /foods; option base null",
  ]
  static let seeAlso = ["mode", "timer", "trace", "explain", "remote"]

  private let option: Argument?
  private let value: Argument?

  init(parsing arguments: inout Arguments) throws {
    option = try arguments.take(Self.option)
    let words = [option?.text].compactMap { $0 }
    value = try arguments.take(Self.parameter(at: 1, after: words) ?? Self.value)
  }

  /// The value has the type of the option that the first word names.
  static func parameter(at position: Int, after words: [String]) -> Parameter? {
    guard position == 1, let name = words.first,
      let option = SessionOption.all.first(where: { $0.name == name })
    else { return parameters.indices.contains(position) ? parameters[position] : nil }
    return Parameter(value.name, option.type, .optional)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    guard let option else { return Self.all(in: session) }
    let name = try option.choice()
    guard let setting = SessionOption.all.first(where: { $0.name == name }) else {
      return Self.all(in: session)
    }
    if let value { try setting.set(value, in: &session) }
    let current = setting.value(session)
    let text = current.isNull ? "none" : current.summaryText
    return CommandResult(
      .value(current),
      Output(
        .report(
          Report(
            headline: "\(name): \(text)",
            data: Record([("option", .string(name)), ("value", current)])))))
  }

  private static func all(in session: Session) -> CommandResult {
    let grid = Grid(
      columns: [Grid.Column("option"), Grid.Column("value"), Grid.Column("meaning")],
      rows: SessionOption.all.map {
        [.string($0.name), $0.value(session), .string($0.summary)]
      })
    return CommandResult(.value(grid.records), Output(.grid(grid)))
  }
}

extension Value {
  /// A string without quotes, any other value as JSON.
  fileprivate var summaryText: String { if case .string(let text) = self { text } else { json } }
}
