import DataSources
import DataTables

/// `cassette [FILE|off]`
struct CassetteCommand: Command {
  private static let file = Parameter(
    "FILE|off", .either([.path(.file), .off]), .optional)
  private static let mode = Label(
    "mode", .choice(Choices("mode", CassetteMode.self, default: .auto)), example: "record")

  static let names = ["cassette"]
  static let parameters = [file]
  static let labels = [mode]
  static let summary = "Records the responses of servers in a file, or replays them from it."
  static let notes = [
    "Mode auto replays an existing file and records a new one. cassette alone shows the cassette,",
    "`cassette off` removes it.",
    "",
    "A recording is text and contains no secrets; each response is written as soon as it arrives.",
    "Repeated requests get the recorded responses in order, then the last one again.",
  ]
  static let examples = [
    "cassette remote.cassette",
    "cassette remote.cassette mode: replay; cassette off",
  ]
  static let seeAlso = ["stub", "remote", "paginated", "offline"]

  private let file: Argument?
  private let mode: Argument?

  init(parsing arguments: inout Arguments) throws {
    file = try arguments.take(Self.file)
    mode = try arguments[Self.mode]
    if let mode, file?.isOff ?? true {
      throw mode.error(.badArgument, "`mode:` needs a file: `cassette FILE mode: record`")
    }
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let transports = session.transports
    guard let file else { return Self.result(transports) }
    guard !file.isOff else {
      transports.removeCassette()
      return Self.result(transports)
    }
    let mode: CassetteMode = try mode?.choice() ?? .auto
    let name = try await file.string(in: &session)
    let path = FilePath.resolve(name, in: session.options.folder)
    do {
      try transports.insertCassette(path, as: name, mode: mode, cancellation: session.cancellation)
    } catch {
      var message = error.message
      // The messages of other errors already name the file.
      if [.format, .encoding].contains(error.kind) { message = "\(name): \(message)" }
      throw file.error(error.kind, message)
    }
    return Self.result(transports)
  }

  private static func result(_ transports: TransportRouter) -> CommandResult {
    guard let cassette = transports.cassette else {
      return result("no cassette: requests go to the network", mode: "off", file: .null, count: 0)
    }
    let name = cassette.path.lastPathComponent
    let count = cassette.count
    let exchanges = counted(count, "exchange")
    switch cassette {
    case .replay(let replay):
      var result = result(
        "\(name): replays \(exchanges)", mode: "replay", file: .string(name), count: count)
      if let line = replay.unfinished {
        result.output.warnings.append(
          "\(name): the exchange at line \(line) is incomplete and is skipped;"
            + " `mode: record` records it again")
      }
      return result
    case .recorder:
      let state = count == 0 ? "records responses" : "records, \(exchanges) so far"
      return result("\(name): \(state)", mode: "record", file: .string(name), count: count)
    }
  }

  private static func result(
    _ headline: String, mode: String, file: Value, count: Int
  ) -> CommandResult {
    let data = Record([
      ("cassette", file), ("mode", .string(mode)), ("exchanges", .integer(count)),
    ])
    return CommandResult(
      .value(.record(data)), Output(.report(Report(headline: headline, data: data))))
  }
}
