import DSInterpreter

@testable import dsshell

/// A line reader with prepared lines.
final class ScriptedLineReader: LineReader {
  private var lines: ArraySlice<TypedLine>
  private(set) var prompts: [String] = []
  private(set) var remembered: [String] = []

  init(_ lines: [TypedLine]) { self.lines = lines[...] }

  func readLine(prompt: String, asking assistant: any LineAssistant) -> TypedLine {
    prompts.append(prompt)
    return lines.popFirst() ?? .end
  }

  func hideLine() {}

  func remember(_ entry: String) { remembered.append(entry) }
}
