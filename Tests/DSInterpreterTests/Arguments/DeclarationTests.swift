import DSReplay
import DataSources
import DataTables
import Testing

@testable import DSInterpreter

/// A command outside the standard table: everything about it follows from its declaration.
private struct PaintCommand: Command {
  private static let color = Parameter("COLOR", .choice(colors))
  private static let colors = Choices("color", ["red", "green", "blue"])
  private static let finish = Label(
    "finish", .choice(Choices("finish", ["matt", "satin", "gloss", "metallic"], default: "matt")),
    example: "satin")
  private static let coats = Label("coats", .integer(1...3), "number of coats", example: "2")
  private static let key = Label("by", .keyPath(.everyRow), "key of the shade", example: "kind")

  static let names = ["paint"]
  static let parameters = [Parameter.source, color]
  static let labels = [finish, coats, key]
  static let summary = "Paints the objects of a source."
  static let examples = ["paint foods red"]

  private let source: SourceArgument
  private let color: Argument
  private let finish: Argument?
  private let coats: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    color = try arguments.require(Self.color)
    finish = try arguments[Self.finish]
    coats = try arguments[Self.coats]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    _ = try await source.source(in: &session)
    let words = [try color.choice(), try finish?.choice() ?? "matt"]
    let value = Value.string("\(words.joined(separator: " ")) \(try coats?.integer() ?? 1)")
    return CommandResult(.value(value), Output(.value(value)))
  }
}

@Suite struct DeclarationTests {
  private static let commands: CommandTable = {
    var commands = CommandTable.standard
    commands.add(PaintCommand.self, to: "change")
    return commands
  }()

  private func prepared() async throws -> Interpreter {
    var interpreter = try await HelpTests.prepared()
    interpreter.session.commands = Self.commands
    return interpreter
  }

  @Test(arguments: [
    ("pai", ["paint"]), ("paint ", ["foods", "letters"]),
    ("paint foods ", ["red", "green", "blue"]), ("foods | paint g", ["green"]),
    ("paint foods red ", ["finish:", "coats:", "by:"]),
    ("paint foods red finish: ", ["matt", "satin", "gloss", "metallic"]),
    ("paint foods red by: ki", ["kind"]), ("paint foods red coats: ", []),
    ("help pai", ["paint"]),
  ])
  func aDeclaredCommandIsCompleted(line: String, candidates: [String]) async throws {
    let interpreter = try await prepared()
    let found = await interpreter.completions(for: line, at: line.utf8.count)
    #expect(found.texts == candidates)
  }

  @Test func aDeclaredCommandHasHelp() async throws {
    let output = CommandHelp(PaintCommand.self, commands: Self.commands).output
    #expect(
      try await PlainText.lines(of: output) == [
        "paint SOURCE COLOR [finish: FINISH] [coats: N] [by: KEYPATH]",
        "  Paints the objects of a source.",
        "",
        "  finish:  matt (default) satin gloss metallic",
        "  coats:   number of coats   2",
        "  by:      key of the shade  kind",
        "",
        "  paint foods red",
      ])
  }

  @Test(
    arguments: [
      ("paint foods red", nil), ("foods | paint red finish: gloss coats: 3", nil),
      ("paint foods (print \"red\") coats: (count foods)", nil),
      ("paint foods rod", "unknown color `rod`; expected red, green, blue"),
      ("paint foods", "paint needs `red`, `green` or `blue`: `\(PaintCommand.synopsis)`"),
      (
        "paint foods red finish: gloos",
        "unknown finish `gloos`; expected matt, satin, gloss, metallic"
      ),
      ("paint foods red coats: 4", "`coats:` must be an integer from 1 to 3, not `4`"),
      ("paint foods red coats: two", "`coats:` must be an integer from 1 to 3, not `two`"),
      ("paint foods red by: [kind]", "`by:` must be a key path, not `[kind]`"),
      ("paint foods red coat: 1", "paint has no label `coat:`"),
      ("paint foods red blue", "unexpected argument `blue`: `\(PaintCommand.synopsis)`"),
      ("print (paint foods rod)", "unknown color"),
      ("expect (paint foods rod) == 1", "unknown color"),
      ("filtered foods where: name == (paint foods rod)", "unknown color"),
      ("let x = simple (paint foods rod)", "unknown color"),
    ] as [(String, String?)])
  func theArgumentsOfADeclaredCommandAreCheckedWithoutRunning(
    line: String, message: String?
  ) {
    let found = mistakes(line, commands: Self.commands)
    guard let message else {
      #expect(found.isEmpty)
      return
    }
    #expect(found.count == 1)
    #expect(found.first?.kind == .badArgument)
    #expect(found.first?.message.hasPrefix(message) == true, "\(found)")
  }

  @Test(
    arguments: [
      ("sectioned x mode: grups", "groups"), ("sectioned x key: kind mod: groups", "mode:"),
      ("sectioned x sort: name dsc", "desc"), ("sections x order: cuont desc", "count"),
      ("load x.csv types: {zip: strng}", "string"), ("load x.csv format: cvs", "csv"),
      ("remote file:x.csv placeholders: loading, eror", "error"), ("trace onn", "on"),
      ("set x mode: grups", "groups"), ("organized x alphabeticaly sort: kind", "alphabetically"),
    ])
  func aMisspelledWordIsFoundWithoutRunning(line: String, suggestion: String) {
    let found = mistakes(line)
    #expect(found.map(\.suggestion) == [suggestion])
  }

  @Test(arguments: [
    "object x [1]", "object x [a, 1]", "count x [1, 2]", "object x Pie", "fetch", "history ten",
    "quit 256", "remote x.csv", "stub http://a.test f status: 99", "fetch x all: yes",
    "load x.csv delimiter: abc", "sectioned x zone: Nowhere/Town mode: day",
    "paginated file:x pageSize: 0", "rename x true", "simple {a: 1}", "remote file:x query: 1",
  ])
  func aValueOfTheWrongTypeIsFoundWithoutRunning(line: String) {
    #expect(mistakes(line).count == 1)
  }

  @Test func noExampleHasWrongArguments() {
    for example in HelpTests.examples {
      #expect(mistakes(example).isEmpty, "\(example)")
    }
  }

  /// The mistakes that are found without running a line whose names are all bound.
  private func mistakes(_ line: String, commands: CommandTable = .replay) -> [Diagnostic] {
    var session = Session()
    session.commands = commands
    // `source` may bind any name.
    let script = ScriptText("source names.ds\n\(line)")
    let parsed = ParsedCommand.all(in: Span(script, 0..<script.bytes.count), commands: commands)
    return session.mistakes(in: parsed, keepsGoing: false)
  }

  @Test(arguments: CommandTable.replay.names)
  func aSynopsisAgreesWithTheDeclaration(name: String) throws {
    let command = try #require(CommandTable.replay[name])
    var rest = command.synopsis[...]
    for part in [command.names[0]] + command.parameters.map(\.name) {
      let range = try #require(rest.firstRange(of: part), "\(part) in \(command.synopsis)")
      rest = rest[range.upperBound...]
    }
    guard command.form == .arguments, !command.labelsAreKeys else { return }
    let known = command.allLabels.map(\.name)
    for match in rest.matches(of: /([A-Za-z]+): [A-Z{\[]/) where match.1.first?.isLowercase == true
    {
      #expect(known.contains(String(match.1)), "\(command.synopsis)")
    }
  }
}
