import DSInterpreter
import DataSources
import Testing

@testable import DSReplay

/// Help on scripts as tests.
@Suite struct TestHelpTests {
  private static func help(_ topic: String) async throws -> [String] {
    var session = Session()
    session.commands = .replay
    var interpreter = Interpreter(session: session)
    var lines: [String] = []
    try await interpreter.run("help \(topic)") { event, _ in
      guard case .output(let output) = event, case .text(let text, _) = output.content else {
        return
      }
      lines += text
    }
    return lines
  }

  @Test(arguments: ["tests", "markers", "directives"])
  func linesFit(topic: String) async throws {
    let lines = try await Self.help(topic)
    #expect(!lines.isEmpty && lines.allSatisfy { $0.count <= 100 }, "\(lines)")
  }

  @Test func everyMarkerAndHoleIsDescribed() async throws {
    let lines = try await Self.help("markers")
    for marker in Marker.allCases {
      #expect(lines.contains { $0.hasPrefix("  \(marker.text) ") && $0.hasSuffix(marker.summary) })
    }
    for hole in Hole.names { #expect(lines.contains { $0.contains("{\(hole)}") }) }
  }

  /// The examples are directives.
  @Test func everyDirectiveIsDescribed() async throws {
    let lines = try await Self.help("directives")
    for (name, form) in zip(Directive.names, Directive.help) {
      #expect(lines.contains("  " + padded(form.example + "  ", to: 36) + form.summary))
      #expect(form.example.hasPrefix(name))
      #expect(throws: Never.self) { try Directive(parsing: form.example) }
    }
  }
}
