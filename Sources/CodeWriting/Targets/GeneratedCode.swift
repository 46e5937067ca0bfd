/// The files of an app and of its tests.
package struct GeneratedCode: Sendable {
  /// The name of the main type: `LettersViewController`.
  package var name: String
  package var text: String
  /// The file of the tests; nil without expectations.
  package var tests: String?

  /// The code and its tests as one file, which imports each module once.
  package var combined: String {
    guard let tests else { return text }
    let (first, second) = (SourceText(text), SourceText(tests))
    let imports = Set(first.imports + second.imports).sorted()
    let parts = [first.comment + imports, first.body, second.comment + second.body]
    return parts.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
  }
}

/// The parts of a file with code.
private struct SourceText {
  private(set) var comment: [String] = []
  private(set) var imports: [String] = []
  private(set) var body: [String] = []

  init(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let isImport = ["import ", "@import ", "#import "].contains { line.hasPrefix($0) }
      if isImport {
        imports.append(String(line))
      } else if imports.isEmpty {
        comment.append(String(line))
      } else if !line.isEmpty || !body.isEmpty {
        body.append(String(line))
      }
    }
  }
}
