import DSInterpreter
import Glibc

/// Reads lines with the terminal's own editing, for terminals that cannot move their cursor.
///
/// The typed line cannot be erased, so changes of watched files are shown after it.
final class PlainLineReader: LineReader {
  private let input = TerminalInput()
  private let output = OutputStream(STDOUT_FILENO)

  func readLine(prompt: LinePrompt, asking assistant: any LineAssistant) -> TypedLine {
    try? output.writeAll(prompt.rawValue)
    while true {
      if let end = input.bytes.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: input.bytes[..<end], as: UTF8.self)
        input.bytes = input.bytes[(end + 1)...]
        return .text(line)
      }
      switch input.wait() {
      case .bytes: continue
      case .signal(SIGINT):
        let isEmpty = input.bytes.isEmpty
        input.discard()
        try? output.writeAll("\n")
        return .interrupted(isEmpty: isEmpty)
      case .signal, .change: continue
      case .end:
        let rest = String(decoding: input.bytes, as: UTF8.self)
        input.bytes = []
        return rest.isEmpty ? .end : .text(rest)
      }
    }
  }

  func hideLine() {}

  func remember(_ entry: String) {}
}
