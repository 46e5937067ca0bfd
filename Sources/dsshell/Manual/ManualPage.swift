import DSInterpreter
import DSRendering
import DSReplay

/// The manual page, in the language of `man`.
///
/// `dsshell --manual >Documentation/dsshell.1` updates the file in the repository.
struct ManualPage {
  private var lines: [String] = []

  /// - Parameters:
  ///   - shell: `dsshell`.
  ///   - tests: `dsshell test`.
  ///   - version: the name of the program and its version.
  static func text(
    _ shell: CommandLineDescription, tests: CommandLineDescription, version: String
  ) -> String {
    var page = ManualPage()
    page.write(shell, tests, version)
    return page.lines.joined(separator: "\n") + "\n"
  }

  private mutating func write(
    _ shell: CommandLineDescription, _ tests: CommandLineDescription, _ version: String
  ) {
    lines.append(".\\\" dsshell --manual prints this file.")
    lines.append(".TH DSSHELL 1 \"\" \"\(version)\" \"User Commands\"")
    section("NAME", ["dsshell \u{2D} a shell for data sources"])
    synopsis(shell.usage)
    section("DESCRIPTION", Self.paragraphs(shell.discussion))
    section("OPTIONS", [])
    options(shell.options)
    section("TESTS", Self.paragraphs(tests.discussion))
    options(tests.options)
    section("COMMANDS", ["At the prompt, `help COMMAND` describes a command with its labels."])
    for group in CommandTable.program.groups {
      lines.append(".SS " + Self.quoted("\(group.title): \(group.task)"))
      items(group.commands.map { ($0.synopsis, $0.summary) })
    }
    section("STYLES", ["The styles of results, for \u{2D}\u{2D}output and `mode`:"])
    items(Styles.described.map { ($0.name, $0.summary) })
    section("EXIT STATUS", [])
    items(ExitStatus.meanings.map { (String($0.status), $0.meaning) })
    section("ENVIRONMENT", [])
    items(EnvironmentVariable.all.map { ($0.name, $0.meaning) })
    section("FILES", [])
    items([
      ("~/.config/dsshell/config.ds", "commands that the prompt runs at its start"),
      ("~/.local/state/dsshell/history", "the commands typed in all sessions"),
    ])
    section("EXAMPLES", [])
    items([
      ("dsshell foods.csv", "loads a file and opens the prompt"),
      ("dsshell foods.csv -c 'describe foods'", "describes the keys of a file"),
      ("curl -s URL | dsshell - -c 'count stdin'", "counts the objects of a response"),
      ("dsshell test Tests", "runs all scripts in a folder as tests"),
    ])
  }

  private mutating func synopsis(_ usage: String) {
    lines.append(".SH SYNOPSIS")
    lines.append(".nf")
    lines += usage.split(separator: "\n").map { Self.escaped(String($0)) }
    lines.append(".fi")
  }

  private mutating func section(_ title: String, _ paragraphs: [String]) {
    lines.append(".SH " + Self.quoted(title))
    for (index, paragraph) in paragraphs.enumerated() {
      if index > 0 { lines.append(".PP") }
      lines.append(Self.escaped(paragraph))
    }
  }

  private mutating func options(_ options: [CommandLineOption]) {
    items(
      options.map { option in
        let names = [option.shortName, option.longName].compactMap { $0 }.joined(separator: ", ")
        let value = option.valueName.map { option.hasOptionalValue ? "[\($0)]" : " \($0)" } ?? ""
        // Some summaries list the values.
        let isListed = option.values.first.map { option.summary.contains($0) } ?? true
        let values = ": " + option.values.joined(separator: ", ") + "."
        return (names + value, isListed ? option.summary : option.summary.dropLast() + values)
      })
  }

  private mutating func items(_ items: [(term: String, text: String)]) {
    for item in items {
      lines += [".TP", "\\fB" + Self.escaped(item.term) + "\\fP", Self.escaped(item.text)]
    }
  }

  private static func paragraphs(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init)
  }

  private static func quoted(_ text: String) -> String { "\"" + escaped(text) + "\"" }

  /// A line of text without characters that roff reads as commands; words in backticks are bold.
  private static func escaped(_ text: String) -> String {
    var line = ""
    for character in text {
      switch character {
      case "\\": line += "\\e"
      case "-": line += "\\-"
      case "\"": line += "\\(dq"
      case "'": line += "\\(aq"
      case "~": line += "\\(ti"
      case "^": line += "\\(ha"
      case "…": line += "..."
      case "`": line += "\\(ga"
      default: line.append(character)
      }
    }
    line = bold(line)
    return line.first == "." ? "\\&" + line : line
  }

  private static func bold(_ text: String) -> String {
    let tick = "\\(ga"
    let fence = "\\(ga\\(ga\\(ga"
    let parts = text.replacing(fence, with: "\u{1}").split(
      separator: tick, omittingEmptySubsequences: false)
    guard parts.count % 2 == 1 else { return text }
    let marked = parts.enumerated().map { $0 % 2 == 1 ? "\\fB\($1)\\fP" : String($1) }
    return marked.joined().replacing("\u{1}", with: fence)
  }
}
