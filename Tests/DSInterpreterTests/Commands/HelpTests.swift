import DataSources
import DataTables
import Foundation
import Testing

@testable import DSInterpreter

@Suite struct HelpTests {
  static let examples =
    CommandTable.standard.groups.flatMap { $0.commands.flatMap { $0.examples } }
    + HelpTopic.all.flatMap(\.examples)

  /// An interpreter with the sources that examples use.
  static func prepared(for example: String = "") async throws -> Interpreter {
    var session = Session()
    session.options.folder = ScriptFile.projectScripts
    session.history = ["load data/foods.csv"]
    var interpreter = Interpreter(session: session)
    try await interpreter.run(ExampleData.all(for: [example]).joined(separator: "\n")) {
      event, _ in
      if case .failure(let diagnostic) = event { Issue.record(diagnostic) }
    }
    return interpreter
  }

  @Test(arguments: examples)
  func everyExampleRuns(example: String) async throws {
    // Files that examples write go to a temporary folder.
    let folder = NSTemporaryDirectory() + "dsshell-help-\(UInt64.random(in: 0...UInt64.max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await FileOverlay.$current.withValue(FileOverlay { folder }) {
      var interpreter = try await Self.prepared(for: example)
      let outcome = try await interpreter.run(example) { event, _ in
        if case .failure(let diagnostic) = event {
          Issue.record("\(example): \(diagnostic.message) \(diagnostic.details)")
        }
      }
      #expect(outcome != .notParsed && outcome != .failed)
    }
  }

  /// The examples of each subject, as help shows them.
  private static let shown =
    CommandTable.standard.commands.filter { !$0.endsScript }.map { $0.examples }
    + HelpTopic.all.map(\.examples)

  @Test(arguments: shown)
  func shownExamplesRunInANewSession(examples: [String]) async throws {
    let folder = NSTemporaryDirectory() + "dsshell-help-\(UInt64.random(in: 0...UInt64.max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let text = ExampleLines(folder: ScriptFile.projectScripts).lines(of: examples)
      .joined(separator: "\n")
    try await FileOverlay.$current.withValue(FileOverlay { folder }) {
      var interpreter = Interpreter()
      let outcome = try await interpreter.run(text) { event, _ in
        if case .failure(let diagnostic) = event {
          Issue.record("\(text)\n\(diagnostic.message) \(diagnostic.details)")
        }
      }
      #expect(outcome == .done)
    }
  }

  @Test func examplesLoadTheBundledDataFromAnyFolder() {
    let lines = ExampleLines(folder: "/opt/dsshell/Scripts").lines(of: ["fetch letters"])
    // The folder does not exist, so its files are not found, and the paths stay as declared.
    #expect(lines.first == "  load data/foods.csv")
    #expect(lines.suffix(2) == ["", "  fetch letters"])
    let found = ExampleLines(folder: ScriptFile.projectScripts).lines(of: [
      "stub http://example.test data; stub off", "remote https://example.test keyPath: data",
      "diff data/foods.csv foods",
    ])
    #expect(found.contains { $0.hasSuffix("Scripts/data/foods.csv foods") })
    #expect(found.contains { $0.hasSuffix("Scripts/data; stub off") })
    #expect(found.contains("  remote https://example.test keyPath: data"))
  }

  @Test func eachErrorHasALineOfHelp() {
    for kind in ErrorKind.allCases {
      #expect(kind.summary.count < 80 && kind.summary.last != ".")
      #expect(HelpTopic.errors.lines.contains { $0.contains(" \(kind.rawValue) ") })
    }
  }

  @Test func eachCommandBelongsToOneTask() {
    for group in CommandTable.standard.groups { #expect(!group.task.isEmpty, "\(group.title)") }
    let names = CommandTable.standard.commands.map { $0.name }
    #expect(Set(names).count == names.count)
  }

  @Test func theBundledScriptMatchesHelp() throws {
    let path = ScriptFile.projectScripts + "/examples.ds"
    let script = try TextFile.read(path, cancellation: Cancellation())
    let printed = HelpExamples().lines.joined(separator: "\n") + "\n"
    // `dsshell -c 'help examples' >Scripts/examples.ds` updates it.
    #expect(script == printed)
    for example in Self.examples where !example.hasPrefix("quit") {
      #expect(script.contains("\n\(example)\n"))
    }
  }

  @Test(arguments: CommandTable.standard.groups.flatMap { $0.commands.flatMap { $0.names } })
  func everyCommandHasHelp(name: String) async throws {
    var interpreter = Interpreter()
    var lines: [String] = []
    try await interpreter.run("help \(name)") { event, _ in
      if case .output(let output) = event { lines = try await PlainText.lines(of: output) }
    }
    let command = try #require(CommandTable.standard[name])
    #expect(lines.first == command.synopsis)
    #expect(lines.dropFirst().first?.hasSuffix(".") == true)
    for other in command.seeAlso {
      let isKnown =
        CommandTable.standard[other] != nil || HelpTopic.all.contains { $0.name == other }
      #expect(isKnown, "\(name) points to \(other)")
    }
  }

  @Test func linesOfHelpFit() async throws {
    for command in CommandTable.standard.groups.flatMap(\.commands) {
      let output = CommandHelp(command, commands: .standard).output
      for line in try await PlainText.lines(of: output) { #expect(line.count <= 100, "\(line)") }
    }
    for topic in HelpTopic.all {
      for line in topic.lines { #expect(line.count <= 100, "\(line)") }
    }
  }

  @Test func helpIsLaidOutInColumns() async throws {
    let output = CommandHelp(SectionedCommand.self, commands: .standard).output
    let lines = try await PlainText.lines(of: output)
    #expect(
      lines == [
        "sectioned SOURCE [key: KEYPATH] [sort: DESCRIPTORS] [mode: MODE] …",
        "  Wraps a source, sorts its objects and splits them into sections by a key.",
        "",
        "  key:          key path; omit it for one section                    name.firstCharacter",
        "  sort:         key [in LIST] [asc|desc] [comparison], …             city, age desc",
        "  where:        condition that objects satisfy; see help predicates  kind == 'sweet'",
        "  nulls:        first or last, for all keys of sort:                 last",
        "  mode:         runs (default) strict groups fixed collated month day year week",
        "  order:        order of groups: title, count or a list of titles    count desc",
        "  titles:       titles of fixed sections: a range or a list          A...Z",
        "  empty:        show or hide empty fixed and collated sections       hide",
        "  other:        title for rows that match no other title             \"#\"",
        "  zone:         time zone of days, weeks, months, years              +01:00",
        "  locale:       locale of collated sections and localized sorts      sv",
        "  indexTitles:  firstCharacter, initials, key path or list           initials",
        "  name:         name of the source                                   Letters",
        "  id:           key path that identifies objects in changes          number",
        "",
        "  `order: count desc` shows the largest sections first, to see which values occur most often; it",
        "  needs `mode: groups`.",
        "",
        "  load data/foods.csv",
        "",
        "  let letters = sectioned foods key: name.firstCharacter sort: name",
        "  let kinds = sectioned foods key: kind mode: groups order: count desc sort: name | fetch",
        "  sectioned foods key: name.firstCharacter mode: fixed titles: A...Z empty: hide | fetch",
        "",
        "  See also: fetch, sections, set; help sort, help keys, help modes, help index",
      ])
  }
}
