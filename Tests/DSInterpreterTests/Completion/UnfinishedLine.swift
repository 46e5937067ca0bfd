import Testing

@testable import DSInterpreter

extension Completions {
  /// The words that would be inserted.
  var texts: [String] { candidates.map(\.text) }
}

/// A line that is being typed, in a session with `foods`, `letters` and names of its own.
struct UnfinishedLine {
  let interpreter: Interpreter

  /// Objects with nested records, arrays, dates and an unusual key.
  static let people = """
    let people = simple [\
    {name: Ann, age: 41, born: 1984-05-01, address: {city: Oslo, zip: "0150"}, tags: [new, "far off"], \
    "home town": Bergen, member: true}, \
    {name: Bea, age: 41, born: 1990-01-31, address: {city: Rome, geo: {north: 41.9}}, tags: [new], \
    "home town": "Bad Ems", member: false}, \
    {name: Ann, age: 7, born: 2018-12-24, address: {city: Oslo, "po box": 7}, tags: [], \
    "home town": "Bad Ems", member: true}]
    """

  /// - Parameter script: what was run before.
  init(after script: String = "") async throws {
    var interpreter = try await HelpTests.prepared()
    try await interpreter.run(script) { event, _ in
      if case .failure(let diagnostic) = event { Issue.record(diagnostic) }
    }
    self.interpreter = interpreter
  }

  /// The completions at the end of a line.
  func completions(_ line: String) async -> Completions {
    await interpreter.completions(for: line, at: line.utf8.count)
  }

  /// The words that can be inserted at the end of a line.
  func words(_ line: String) async -> [String] { await completions(line).texts }
}
