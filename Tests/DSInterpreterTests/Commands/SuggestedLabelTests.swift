import DSInterpreter
import Foundation
import Testing

/// Every suggestion in load reports, evidence and errors works when it is appended to the command.
struct SuggestedLabelTests {
  private static let texts = [
    "v\n1\n2\n3\n#N/A\n#N/A\n", "v\n1\n2\n3\n\"1,492\"\n", "v\n1\n2\nnull\n", "v\n1\n2\nno data\n",
    "v\n1\n2\n\"\"\n3\n", "v\n1\n2\n`\n", "v\n1\n2\n\\N\n", "v,w\n1,x\n2,y\n-,z\nN/A,z\n",
    "Report\n\na,b,c\n1,2,3\n4,5,6\n", "569,5,m,b\n1,2,3,4,5,0\n2,3,4,5,6,1\n", "1,2\n3,4\n",
    "# one\n# two, more\na,b\n1,2\n3,4\n", "a,b\n'x,1',2\n'y,2',3\n'z,3',4\n",
    "a,b\n\"say \\\"hi\\\"\",1\n\"x\\\"y\",2\n", "Title\na;b\n1;2\n3;4\n",
    "Report\nname,kind\nPie,sweet\nJam,sweet\nEgg,salty\n",
    "a,b\n" + String(repeating: "1,2\n", count: 100) + String(repeating: "1,2,3\n", count: 900),
    "a,b\n" + String(repeating: "1,2\n", count: 100) + String(repeating: "\"x\"y,3\n", count: 900),
    "\"a\"x,b\n1,2\n3,4\n",
  ]

  @Test(arguments: texts)
  func aSuggestionWorks(text: String) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("suggestions-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try text.write(toFile: folder + "/t.csv", atomically: false, encoding: .utf8)
    let found = try await run("load t.csv; describe t", in: folder)
    let suggestions = Set(found.lines.flatMap(Self.suggestions))
    #expect(!suggestions.isEmpty, "\(found.lines)")
    for suggestion in suggestions {
      let again = try await run("load t.csv \(suggestion)", in: folder)
      #expect(again.errors.isEmpty, "\(suggestion): \(again.lines)")
      let isNull = suggestion.hasPrefix("nulls:")
      #expect(!isNull || !again.lines.contains { $0.contains(suggestion) }, "\(again.lines)")
    }
  }

  /// The labels in backticks: `nulls: "#N/A"`.
  private static func suggestions(in line: String) -> [String] {
    line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0 % 2 == 1 ? String($1) : nil }
      .filter { $0.contains(": ") }
  }

  private func run(
    _ text: String, in folder: String
  ) async throws -> (lines: [String], errors: [String]) {
    var interpreter = Interpreter()
    interpreter.session.options.folder = folder
    var outputs: [Output] = []
    var errors: [Diagnostic] = []
    try await interpreter.run(text) { event, _ in
      switch event {
      case .failure(let diagnostic): errors.append(diagnostic)
      case .output(let output): outputs.append(output)
      }
    }
    var lines = errors.map(\.message)
    for output in outputs { lines += try await PlainText.lines(of: output) }
    return (lines, errors.map(\.message))
  }
}
