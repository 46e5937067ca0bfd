import DSInterpreter
import DataSources
import DataTables
import Testing

@testable import DSReplay

/// Every format and every codec has a script in three sections: a real file, its malformed twin, and
/// the suggestion of a report or an error, followed.
struct FormatScriptTests {
  private static let names =
    FormatTable.standard.formats.map(\.name) + FormatTable.standard.codecs.map { $0.names[0] }
  private static let sections = ["file", "malformed", "suggestion"]

  @Test(arguments: names)
  func theFormatHasAScriptWithAllParts(name: String) throws {
    let script = try script(of: name)
    #expect(script.sections.map(\.title) == Self.sections)
    let loads = Self.sections.indices.map { index in
      script.sections.count > index
        ? script.commands[script.sections[index].commands].filter(Self.isLoad) : []
    }
    // The report is expected, and the malformed twin has an error with its place, or rejected rows.
    #expect(loads[0].contains { $0.expectedLines.contains { $0.contains("object") } })
    #expect(
      loads[1].contains { $0.expectedLines.contains { $0.hasPrefix("error: ") } },
      "no error of a malformed twin")
    let suggestions = (loads[0] + loads[1]).flatMap(\.expectedLines)
      .flatMap(SuggestionCheck.suggestions)
    for load in loads[2] {
      #expect(
        suggestions.contains { load.text.contains($0) }, "not suggested: \(load.text)")
    }
    #expect(!loads[2].isEmpty)
  }

  @Test(arguments: names)
  func everySuggestionOfTheScriptWorks(name: String) async throws {
    let check = SuggestionCheck(folder: "\(ScriptFile.testFolder)/Scripts/formats")
    var followed: [String] = []
    for load in try script(of: name).commands.filter(Self.isLoad) {
      let text = load.text
      let command = text.firstRange(of: "= load ").map { "load " + text[$0.upperBound...] } ?? text
      followed += try await check.follow(command)
    }
    #expect(!followed.isEmpty)
  }

  private func script(of name: String) throws -> ReplayScript {
    let path = "\(ScriptFile.testFolder)/Scripts/formats/\(name).ds"
    return ReplayScript(try TextFile.read(path, cancellation: Cancellation()), path: path)
  }

  private static func isLoad(_ command: ReplayCommand) -> Bool {
    command.text.hasPrefix("load ") || command.text.contains(" = load ")
  }
}

extension ReplayCommand {
  /// The expected lines; `…` stands for a hole.
  fileprivate var expectedLines: [String] {
    expectations.compactMap { expectation in
      switch expectation.kind {
      case .line(let text): text
      case .pattern(let pattern), .errorLine(let pattern):
        pattern.segments.map { segment in
          if case .text(let bytes) = segment { String(decoding: bytes, as: UTF8.self) } else { "…" }
        }.joined()
      default: nil
      }
    }
  }
}
