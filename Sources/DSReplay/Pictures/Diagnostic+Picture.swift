import DSInterpreter
import DSRendering

extension Diagnostic {
  /// The error with its place and line, as dsshell shows it without colour.
  var plainPicture: String {
    let text = TableStyle().render(self, for: TerminalTraits(width: 80))
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
