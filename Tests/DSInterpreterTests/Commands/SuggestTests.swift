import DataSources
import DataTables
import Foundation
import TestSupport
import Testing

@testable import DSInterpreter

/// Every suggested command runs as it is shown, and makes what its comment states.
@Suite struct SuggestTests {
  private static let data: [String] = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let folder = root.appendingPathComponent("../../../Scripts/data").standardizedFileURL.path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { !$0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
  }()

  @Test(arguments: data) func theCommandsForBundledDataMakeTheStatedSections(
    path: String
  ) async throws {
    let source = try await SimpleSource.load(path, formats: .standard)
    let suggested = try await checkSuggestions(for: source)
    #expect(suggested > 2)
  }

  @Test func thereIsBundledData() {
    #expect(Self.data.count > 4)
  }

  @Test(arguments: 0..<24) func theCommandsForRandomObjectsMakeTheStatedSections(
    seed: Int
  ) async throws {
    var random = SplitMix64(seed: UInt64(seed))
    let count = [0, 1, 2, 5, 40, 300][random.below(6)]
    _ = try await checkSuggestions(for: SimpleSource(objects(count, &random)))
  }

  @Test func aSampleOfManyObjectsGivesEstimates() async throws {
    var random = SplitMix64(seed: 7)
    // With the distance of a fixed step, a sample would have one of the kinds only.
    let objects = (0..<30_000).map { index -> Value in
      .record(
        Record([
          ("id", .integer(index)), ("kind", .string("kind \(index % 3)")),
          ("name", .string("\(["ant", "bee", "cat"][random.below(3)]) \(index)")),
        ]))
    }
    var session = Session()
    session.bind("many", to: .source(SimpleSource(objects)))
    let suggestions = try await Self.suggestions(in: &session)
    let kinds = try #require(suggestions.first { $0.command.contains("key: kind ") })
    #expect(kinds.sections == 3)
    #expect(kinds.isEstimate)
    // No key is useful that is different in all objects.
    #expect(!suggestions.contains { $0.command.contains("key: id") })
    for suggestion in suggestions {
      let content = try #require(await Self.content(of: suggestion.command, in: &session))
      #expect(content.numberOfSections == suggestion.sections, "\(suggestion.command)")
    }
  }

  /// Objects with keys of all types, some missing, and names that must be quoted.
  private func objects(_ count: Int, _ random: inout SplitMix64) -> [Value] {
    let names = ["ant", "Bee", "Éclair", "7up", "", "élan", "e\u{301}t\u{e9}", "ǆ", "日本"]
    let keys = [
      "plain", "two words", "a.b", "it's", "\"q\"", "$v", "desc", "SELF", "key:", "#", "",
    ]
    let key = keys[random.below(keys.count)]
    return (0..<count).map { index in
      var fields: [(String, Value)] = [
        ("id", .integer(index)), (key, .string(names[random.below(names.count)])),
        ("real", Value(literal: "\(random.below(6)).\(random.below(10))")),
        (
          "day", Value(literal: "202\(random.below(4))-0\(1 + random.below(9))-1\(random.below(9))")
        ),
        ("flag", random.below(3) == 0 ? .null : .bool(random.below(2) == 0)),
        (
          "inner",
          .record(Record([("unit price", .integer(random.below(4))), (key, .string(names[0]))]))
        ),
        ("mixed", random.below(2) == 0 ? .integer(random.below(3)) : .string("x")),
        ("list", .array([.integer(1)])),
      ]
      if random.below(8) == 0 { fields.removeAll { $0.0 == key } }
      return .record(Record(fields))
    }
  }

  private struct Suggested {
    let command: String
    let sections: Int
    let objects: Int
    let largest: Int
    let isEstimate: Bool
  }

  /// Runs the commands that are suggested for a source; returns their number.
  private func checkSuggestions(for source: SimpleSource) async throws -> Int {
    var session = Session()
    session.bind("many", to: .source(source))
    let suggestions = try await Self.suggestions(in: &session)
    #expect(Set(suggestions.map(\.command)).count == suggestions.count)
    #expect(suggestions.count <= 12)
    for suggestion in suggestions {
      let content = try #require(
        await Self.content(of: suggestion.command, in: &session), "\(suggestion.command) fails")
      let sizes = (0..<content.numberOfSections).map { content.store.numberOfObjects(in: $0) }
      #expect(!suggestion.isEstimate)
      #expect(sizes.count == suggestion.sections, "\(suggestion.command)")
      #expect(sizes.max() ?? 0 == suggestion.largest, "\(suggestion.command)")
      #expect(content.numberOfObjects == suggestion.objects, "\(suggestion.command)")
    }
    return suggestions.count
  }

  private static func suggestions(in session: inout Session) async throws -> [Suggested] {
    guard case .value(.array(let records))? = await operand(of: "suggest many", in: &session) else {
      Issue.record("`suggest` fails")
      return []
    }
    return records.compactMap { value in
      guard case .record(let record) = value, case .string(let command)? = record["command"],
        case .integer(let sections)? = record["sections"],
        case .integer(let objects)? = record["objects"],
        case .integer(let largest)? = record["largest"], case .bool(let about)? = record["about"]
      else { return nil }
      return Suggested(
        command: command, sections: sections, objects: objects, largest: largest,
        isEstimate: about)
    }
  }

  private static func content(
    of command: String, in session: inout Session
  ) async -> Snapshot? {
    guard case .source(let source)? = await operand(of: command, in: &session) else { return nil }
    return source.state.snapshot
  }

  private static func operand(of command: String, in session: inout Session) async -> Operand? {
    let text = ScriptText(command)
    let (lines, mistakes) = Parser.parse(
      Span(text, 0..<text.bytes.count), commands: session.commands)
    guard mistakes.isEmpty, lines.count == 1, let line = lines.first else { return nil }
    return try? await session.evaluate(line).operand
  }
}
