import DSReplay
import DataSources
import DataTables
import Foundation
import Testing

@testable import DSInterpreter

@Suite struct AnticipationTests {
  @Test(
    arguments: [
      (
        "let t = load w.csv; sectioned t key: kind.firstCharacter sort: name desc, kind",
        ["kind", "name"]
      ),
      (
        "load w.csv; let s = sectioned w key: kind; let f = filtered s where: age > 3",
        ["kind", "age"]
      ),
      ("load w.csv | sectioned key: kind | fetch", ["kind"]),
      ("fetch (sectioned (load w.csv) sort: \"odd.key\")", ["odd.key"]),
      ("load w.csv; multi (sectioned w key: name) (simple [1])", ["name"]),
      ("load w.csv; sectioned (simple [{kind: x}]) key: kind", []),
      ("load w.csv; object w [0, 0]; count w", []),
      ("sectioned (simple [{kind: x}]) key: kind; let w2 = load w.csv", []),
      ("let w = load w.csv id: age; count w", []),
      ("let t = load w.csv; let t = simple [{kind: x}]; sectioned t key: kind", []),
      ("load w.csv; sectioned _ key: kind", ["kind"]),
      ("load w.csv; let n = simple [{kind: x}]; sectioned _ key: kind", []),
      (
        "load w.csv" + String(repeating: "; count w", count: 300) + "; sectioned w key: kind", []
      ),
    ] as [(String, [String])])
  func aLoadAnticipatesTheKeysOfLaterLines(text: String, keys: [String]) async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(try await Self.anticipated(by: text, in: folder) == [keys])
  }

  @Test func anIncludedScriptAnticipatesTheKeysOfTheScriptAroundIt() async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try "let w = load w.csv\n".write(
      toFile: folder + "/inner.ds", atomically: false, encoding: .utf8)
    let text = "source inner.ds; let s = sectioned w sort: age"
    #expect(try await Self.anticipated(by: text, in: folder) == [["age"]])
  }

  @Test func aTestAnticipatesTheKeysOfItsLaterLines() async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let text = """
      let w = load w.csv
      anticipated w
      #| kind
      #| age
      let s = sectioned w key: kind
      let v = load w.csv
      anticipated v
      #| name
      sectioned v sort: name; let f = filtered w where: age > 3
      """
    var environment = ReplayEnvironment()
    environment.commands.add(AnticipatedCommand.self, to: "inspect")
    let outcome = await ReplayRunner(environment).run(
      ReplayScript(text, path: folder + "/t.ds", commands: environment.commands))
    #expect(outcome.mistakes == [] && outcome.failures.map(\.picture) == [])
    #expect(outcome.sections.map(\.passedCommands) == [6])
  }

  private static func folder() throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("anticipation-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "kind,name,age,odd.key\nx,y,4,z\n".write(
      toFile: folder + "/w.csv", atomically: false, encoding: .utf8)
    return folder
  }

  /// The keys that each load anticipates.
  private static func anticipated(by text: String, in folder: String) async throws -> [[String]] {
    var interpreter = Interpreter()
    interpreter.session.options.folder = folder
    var loaded: [any ReadSource] = []
    try await interpreter.run(text) { event, session in
      if case .failure(let mistake) = event { Issue.record(mistake) }
      loaded = session.loaded.compactMap(\.source)
    }
    return loaded.compactMap { ($0 as? SimpleSource)?.anticipatedKeys }
  }
}

/// `anticipated SOURCE`: the keys that its load anticipated.
private struct AnticipatedCommand: Command {
  static let names = ["anticipated"]
  static let parameters = [Parameter.source]
  static let summary = "Shows the keys that a load anticipated."
  static let examples: [String] = []

  let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let keys = (source as? SimpleSource)?.anticipatedKeys ?? []
    return CommandResult(.none, Output(.list(keys.map(Value.string))))
  }
}
