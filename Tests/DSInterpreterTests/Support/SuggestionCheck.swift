import DSInterpreter
import Testing

/// Follows the labels that load reports, evidence and errors suggest.
struct SuggestionCheck {
  let folder: String

  /// Appends each suggestion to a `load` command: the command succeeds, and no longer suggests the
  /// same.
  /// - Parameter labels: the labels of the command, which follow it.
  /// - Returns: the suggestions.
  @discardableResult
  func follow(_ load: String, labels: String = "") async throws -> [String] {
    let found = try await run("let t = \(load) \(labels); describe t")
    var followed: [String] = []
    for line in found.lines {
      // A label that the report describes as chosen changes nothing; any other one is followed.
      for suggestion in Self.suggestions(in: line) where !labels.contains(suggestion) {
        followed.append(suggestion)
        let kept = line.contains("replace `keys:`") ? "" : labels
        let command = Self.command("\(load) \(kept)", without: suggestion, in: line)
        let again = try await run("let t = \(command) \(suggestion); describe t")
        #expect(again.errors.isEmpty, "\(suggestion): \(again.lines)")
        #expect(!again.lines.contains(line), "\(suggestion) is suggested again: \(line)")
        if line.contains("detected") || line.contains("found from") {
          #expect(again.headline == found.headline, "\(suggestion) reads other rows")
        }
      }
    }
    return followed
  }

  /// The labels in backticks, except those to replace: `nulls: "#N/A"`.
  static func suggestions(in line: String) -> [String] {
    let line = line.replacing(#/replace `[^`]*` with /#, with: "")
    return quoted(
      in: line.firstRange(of: "; replace `").map { line[..<$0.lowerBound] } ?? line[...])
  }

  private static func quoted(in text: Substring) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0 % 2 == 1 ? String($1) : nil }
      .filter { $0.contains(/^[A-Za-z]+: \S/) }
  }

  /// The command without the labels that the line says to replace.
  private static func command(
    _ load: String, without suggestion: String, in line: String
  ) -> String {
    let pairs = line.matches(of: /replace `([^`]*)` with `([^`]*)`/)
    if let pair = pairs.first(where: { $0.2 == suggestion }), !pair.1.hasSuffix(":") {
      return load.replacing(" " + pair.1, with: "")
    }
    if let replaced = line.firstRange(of: "; replace `") {
      return quoted(in: line[replaced.lowerBound...]).reduce(load) {
        $0.replacing(" " + $1, with: "")
      }
    }
    return load
  }

  private struct Found {
    var lines: [String] = []
    var errors: [String] = []
    /// The first line of the load report without the format: `t: 2 objects, 3 keys`.
    var headline: String { lines.first.map { $0.split(separator: ",")[0] }.map(String.init) ?? "" }
  }

  private func run(_ text: String) async throws -> Found {
    var interpreter = Interpreter()
    interpreter.session.options.folder = folder
    var found = Found()
    var outputs: [Output] = []
    try await interpreter.run(text) { event, _ in
      switch event {
      case .failure(let diagnostic): found.errors.append(diagnostic.message)
      case .output(let output): outputs.append(output)
      }
    }
    found.lines = found.errors
    for output in outputs { found.lines += try await PlainText.lines(of: output) }
    return found
  }
}
