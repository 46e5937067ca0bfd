import DSInterpreter
import DSRendering
import DataSources

/// What people see of a command that did not do what is expected: the command, the lines expected and
/// told, and how to run it again.
struct FailurePicture {
  private let command: ReplayCommand
  private let script: ReplayScript
  private let section: Int
  private let rerun: String
  private var rows: [PictureRow] = []

  /// - Parameter section: the position of its section.
  init(_ command: ReplayCommand, in script: ReplayScript, section: Int, rerun: String) {
    self.command = command
    self.script = script
    self.section = section
    self.rerun = rerun
  }

  /// Lines as they were told, where nothing is expected of them; of long ones the start.
  mutating func tell(_ lines: [String]) {
    rows += lines.map { line in
      let isLong = line.utf8.count > Self.mostCharacters && line.count > Self.mostCharacters
      return PictureRow(.actual, isLong ? String(line.prefix(Self.mostCharacters)) + "…" : line)
    }
  }

  private static let mostCharacters = 300

  /// A sentence about all of it.
  mutating func note(_ text: String) { rows.append(PictureRow(.note, text)) }

  /// How expected and told lines go together.
  mutating func compare(
    _ steps: [Alignment.Step], _ expected: [ExpectedLine], _ actual: [String], _ captures: Captures
  ) {
    rows += PictureRow.rows(steps, expected, actual, captures)
  }

  /// - Parameter canAccept: whether `--update` would take what came as expected.
  func lines(canAccept: Bool) -> [String] {
    var lines = [header(at: command.lines.lowerBound)]
    let last = rows.compactMap(\.number).max() ?? command.lines.upperBound
    let width = max(4, String(last).count)
    for number in command.lines {
      lines.append(Self.line(number, width, Self.text(of: number, in: script)))
    }
    lines += PictureRow.text(PictureRow.shortened(rows), width: width)
    // What begins with a dash would be an option.
    let path = script.path.hasPrefix("-") ? "./" + script.path : script.path
    var next = "     rerun \(rerun) " + "\(path):\(command.lines.lowerBound)".shellWord
    if canAccept { next += "     accept \(rerun) \(path.shellWord) --update" }
    return lines + [next]
  }

  private func header(at line: Int) -> String { Self.header(script, section, line) }

  private static func header(_ script: ReplayScript, _ section: Int, _ line: Int) -> String {
    let title = script.sections.indices.contains(section) ? script.sections[section].title : nil
    return ("FAIL \(script.path):\(line)" + (title.map { " › \($0)" } ?? "")).escapingControls()
  }

  /// A picture of a directive.
  static func ofLine(
    _ line: Int, in script: ReplayScript, section: Int, note: String
  ) -> [String] {
    let width = max(4, String(line).count)
    return [header(script, section, line), self.line(line, width, text(of: line, in: script))]
      + PictureRow.text([PictureRow(.note, note)], width: width)
  }

  private static func text(of line: Int, in script: ReplayScript) -> String {
    script.source.string(script.source.line(line)).redactingURLs.escapingControls(keepsTabs: true)
  }

  private static func line(_ number: Int, _ width: Int, _ text: String) -> String {
    PictureRow.gutter(number, width) + (text.isEmpty ? "" : " " + text)
  }
}
