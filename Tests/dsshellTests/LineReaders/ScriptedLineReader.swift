import DSInterpreter

@testable import dsshell

/// A line reader with prepared lines.
final class ScriptedLineReader: LineReader {
  private var lines: ArraySlice<TypedLine>
  private(set) var prompts: [String] = []
  private(set) var remembered: [String] = []
  /// The completions at the end of each line.
  private(set) var completions: [Completions] = []

  init(_ lines: [TypedLine]) { self.lines = lines[...] }

  func readLine(prompt: LinePrompt, asking assistant: any LineAssistant) -> TypedLine {
    prompts.append(prompt.rawValue)
    guard let line = lines.popFirst() else { return .end }
    if case .text(let text) = line {
      completions.append(assistant.completions(for: text, at: text.utf8.count))
    }
    return line
  }

  func hideLine() {}

  func remember(_ entry: String) { remembered.append(entry) }
}
