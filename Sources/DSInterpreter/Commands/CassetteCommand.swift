import DataSources
import DataTables

/// `cassette FILE`
struct CassetteCommand: Command {
  static let names = ["cassette"]
  static let synopsis = "cassette [FILE|off] [mode: MODE]"
  static let summary = "Replays what servers answered from a file, or records it there."
  private static let modes = CassetteMode.allCases.map(\.rawValue)
  static let labels = [
    Label("mode", modes.joined(separator: " "), example: "record", completion: .words(modes))
  ]
  static let notes = [
    "auto, the default, replays a file that is there and records one that is not.",
    "",
    "What is recorded is a text without secrets; each answer is in the file once it has come. Asked",
    "for the same again, it answers in the order of the recording, then as the last time.",
  ]
  static let examples = [
    "cassette remote.cassette",
    "cassette remote.cassette mode: replay; cassette off",
  ]
  static let seeAlso = ["stub", "remote", "paginated", "offline"]

  let file: Argument?
  let mode: Argument?

  init(parsing arguments: inout Arguments) throws {
    file = arguments.take()
    mode = try arguments.label("mode")
    if let mode, file == nil || file?.word == "off" {
      throw mode.error(.badArgument, "`mode:` is that of a file: `cassette FILE mode: record`")
    }
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let transports = session.transports
    guard let file else { return Self.result(transports) }
    guard file.word != "off" else {
      transports.removeCassette()
      return Self.result(transports)
    }
    let word = try mode?.choice(of: Self.modes, for: "mode")
    let mode = word.flatMap { CassetteMode(rawValue: $0) } ?? .auto
    let path = FilePath.resolve(try await file.string(in: &session), in: session.options.folder)
    do {
      try transports.insertCassette(path, mode: mode, cancellation: session.cancellation)
    } catch {
      let name = FilePath.name(of: path)
      var message = error.message
      // The file that does not parse; the others are named.
      if [.format, .encoding].contains(error.kind) { message = "\(name): \(message)" }
      throw file.error(error.kind, message)
    }
    return Self.result(transports)
  }

  private static func result(_ transports: TransportRouter) -> CommandResult {
    guard let cassette = transports.cassette else {
      return result("no cassette: requests go to the network", mode: "off", file: .null, count: 0)
    }
    let name = FilePath.name(of: cassette.path)
    let count = cassette.count
    let exchanges = count == 1 ? "1 exchange" : "\(count.grouped) exchanges"
    switch cassette {
    case .replay(let replay):
      var answer = result(
        "\(name): replays \(exchanges)", mode: "replay", file: .string(name), count: count)
      if let line = replay.unfinished {
        answer.output.warnings.append(
          "\(name): the exchange at line \(line) was not written to its end, and is left out;"
            + " `mode: record` records anew")
      }
      return answer
    case .recorder:
      let what = count == 0 ? "records what servers answer" : "records, \(exchanges) so far"
      return result("\(name): \(what)", mode: "record", file: .string(name), count: count)
    }
  }

  private static func result(_ headline: String, mode: String, file: Value, count: Int)
    -> CommandResult
  {
    let data = Record([
      ("cassette", file), ("mode", .string(mode)), ("exchanges", .integer(count)),
    ])
    return CommandResult(
      .value(.record(data)), Output(.report(Report(headline: headline, data: data))))
  }
}
