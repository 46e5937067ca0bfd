import DSInterpreter
import DSRendering
import DataSources
import DisplayText

/// The printed form of a failure: the command, expected and actual lines, and the shell command
/// that runs the test again.
struct FailurePicture {
  private let command: ReplayCommand
  private let script: ReplayScript
  private let section: Int
  private let rerun: RerunCommand
  private var rows: [PictureRow] = []

  /// - Parameter section: the index of the section of `command`.
  init(
    _ command: ReplayCommand, in script: ReplayScript, section: Int, rerun: RerunCommand
  ) {
    self.command = command
    self.script = script
    self.section = section
    self.rerun = rerun
  }

  /// Adds lines of output without expectations; long lines are truncated, unless they must be complete.
  mutating func addActual(_ lines: [String], isComplete: Bool = false) {
    let maximum = isComplete ? Int.max : Self.maximumCharacters
    rows += lines.map { line in
      let isLong = line.utf8.count > maximum && line.count > maximum
      return PictureRow(.actual, isLong ? String(line.prefix(Self.maximumCharacters)) + "…" : line)
    }
  }

  private static let maximumCharacters = 300

  /// Adds a sentence about the failure.
  mutating func note(_ text: String) { rows.append(PictureRow(.note, text)) }

  /// Adds expected and actual lines.
  /// - Parameter cells: the same lines as they were compared, if rows of tables are among them.
  mutating func compare(
    _ steps: [Alignment.Step], _ expected: [ExpectedLine], _ actual: [String], _ captures: Captures,
    cells: ComparedLines? = nil
  ) {
    rows += PictureRow.rows(steps, expected, actual, captures, cells)
  }

  /// - Parameter canAccept: whether `--update` would accept the output.
  func lines(canAccept: Bool) -> [String] {
    var lines = [header(at: command.lines.lowerBound)]
    let last = rows.compactMap(\.number).max() ?? command.lines.upperBound
    let width = max(4, String(last).count)
    for number in command.lines {
      lines.append(Self.line(number, width, Self.text(of: number, in: script)))
    }
    lines += PictureRow.text(PictureRow.shortened(rows), width: width)
    let next = rerun.line(of: script.path, line: command.lines.lowerBound)
    return lines + [next + (canAccept ? rerun.acceptance(of: script.path) : "")]
  }

  private func header(at line: Int) -> String { Self.header(script, section, line) }

  private static func header(_ script: ReplayScript, _ section: Int, _ line: Int) -> String {
    let title = script.sections.indices.contains(section) ? script.sections[section].title : nil
    return ("FAIL \(script.path):\(line)" + (title.map { " › \($0)" } ?? "")).escapingControls()
  }

  /// The printed form of a failure at a directive.
  ///
  /// - Parameter rerun: nil if no command runs the test alone.
  static func lines(
    ofDirectiveAt line: Int, in script: ReplayScript, section: Int, note: String,
    rerun: RerunCommand?
  ) -> [String] {
    let width = max(4, String(line).count)
    let start = script.sections.indices.contains(section) ? script.sections[section] : nil
    return [header(script, section, line), self.line(line, width, text(of: line, in: script))]
      + PictureRow.text([PictureRow(.note, note)], width: width)
      // The line of a section without a title selects only its first command.
      + (rerun.map { [$0.line(of: script.path, line: start?.title == nil ? nil : start?.line)] }
        ?? [])
  }

  private static func text(of line: Int, in script: ReplayScript) -> String {
    let text = script.source.string(script.source.line(line))
    return RedactedLine(text, after: script.source.earlierLines(than: line)).text
      .escapingControls(keepsTabs: true)
  }

  private static func line(_ number: Int, _ width: Int, _ text: String) -> String {
    PictureRow.gutter(number, width) + (text.isEmpty ? "" : " " + text)
  }
}

extension Diagnostic {
  /// The error with its location and line, as dsshell prints it without color.
  var plainPicture: String {
    let text = TableStyle().render(self, for: TerminalTraits(width: 80))
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}

extension String {
  /// The string as a shell word, quoted if necessary. Control characters become octal escapes, as
  /// in `$'\012'`.
  package var shellWord: String {
    if !isEmpty, unicodeScalars.allSatisfy(\.isPlainInShell) { return self }
    if utf8.elementsEqual(escapingControls().utf8) {
      return "'" + replacing("'", with: "'\\''") + "'"
    }
    return "$'" + unicodeScalars.map(\.inDollarQuotes).joined() + "'"
  }
}

extension Unicode.Scalar {
  fileprivate var isPlainInShell: Bool {
    switch self {
    case "0"..."9", "_", ".", "/", ":", "@", "%", "+", ",", "-": true
    default: properties.isAlphabetic
    }
  }

  fileprivate var inDollarQuotes: String {
    if self == "'" || self == "\\" { return "\\" + String(self) }
    let text = String(self)
    if text.utf8.elementsEqual(text.escapingControls().utf8) { return text }
    return text.utf8.map { byte in
      let octal = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - octal.count) + octal
    }.joined()
  }
}
