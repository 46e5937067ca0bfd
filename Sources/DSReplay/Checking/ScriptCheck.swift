package import DSInterpreter
import DSRendering
import DataSources
import DataTables

/// The problems in a script that can be found without running it (`--check-only`).
package struct ScriptCheck: Sendable {
  /// Syntax errors, as printed.
  package let mistakes: [String]
  /// Warnings about lines that parse but are probably mistakes, as printed, in the order of the
  /// lines.
  package let warnings: [String]

  init(mistakes: [String]) {
    self.mistakes = mistakes
    warnings = []
  }

  /// Checks a file; a file that cannot be read is a mistake.
  package init(path: String, commands: CommandTable = .recording) {
    do throws(SourceError) {
      let text = try TextFile.read(path, cancellation: Cancellation())
      self.init(ReplayScript(text, path: path, commands: commands))
    } catch {
      self.init(mistakes: FileOutcome(unreadable: path, error).mistakes)
    }
  }

  package init(_ script: ReplayScript) {
    mistakes = script.mistakes.map(\.plainPicture)
    let found = script.warnings + ScriptRule.all.flatMap { $0.check(script) }
    // The offsets keep warnings about one line in the order of the rules.
    let sorted = found.enumerated().sorted {
      ($0.element.place?.line ?? 0, $0.offset) < ($1.element.place?.line ?? 0, $1.offset)
    }
    warnings = sorted.map { Self.warning($0.element) }
  }

  /// `foods.ds:7:1: warning: …` with the line and a caret.
  private static func warning(_ diagnostic: Diagnostic) -> String {
    diagnostic.plainPicture.replacing("error:", with: "warning:", maxReplacements: 1)
  }
}
