import DataSources
import DataTables

/// `history [COUNT|save FILE]`
struct HistoryCommand: Command {
  private static let saving = "save"
  private static let count = Parameter(
    "COUNT|save", .either([.nonNegativeInteger, .choice(Choices("word", [saving]))]), .optional)
  private static let file = Parameter("FILE", .path(.script), .optional)

  static let names = ["history"]
  static let parameters = [count, file]
  static let synopsis = "history [COUNT|save FILE]"
  static let summary = "Shows the commands that were typed, or saves the session as a script."
  static let notes = [
    "`history save FILE` writes a new script of the typed commands that succeeded, with relative paths",
    "as they are seen from its folder.",
  ]
  static let examples = ["history", "history 10", "history save session.ds"]
  static let seeAlso = ["source", "save"]

  private let count: Argument?
  private let file: Argument?

  init(parsing arguments: inout Arguments) throws {
    count = try arguments.take(Self.count)
    file = count?.word == Self.saving ? try arguments.require(Self.file) : nil
  }

  func run(in session: inout Session) async throws -> CommandResult {
    if let file { return try await Self.save(file, in: &session) }
    let count = try count?.typed(.nonNegativeInteger).integer() ?? session.history.count
    let rows: [[Value]] = session.history.enumerated().suffix(count)
      .map { [.integer($0 + 1), .string($1)] }
    let grid = Grid(
      columns: [Grid.Column("number"), Grid.Column("command")], rows: rows, hidesHeader: true,
      placeholder: "")
    return CommandResult(.none, Output(.grid(grid)))
  }

  private static func save(
    _ file: Argument, in session: inout Session
  ) async throws -> CommandResult {
    let name = try await file.string(in: &session)
    let path = session.resolve(name, at: file)
    let commands = session.execution.log.script(
      in: FilePath.folder(of: path), commands: session.commands)
    let text = (["#!/usr/bin/env dsshell"] + commands).map { $0 + "\n" }.joined()
    try file.write(text, toNewFile: name, at: path)
    let report = Report(
      headline: "\(name): \(counted(commands.count, "command")) saved",
      data: Record([("file", .string(name)), ("commands", .integer(commands.count))]))
    return CommandResult(.none, Output(.report(report)))
  }
}
