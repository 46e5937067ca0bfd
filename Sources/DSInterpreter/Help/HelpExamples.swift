import DataTables

/// The examples of all verbs and topics as one script, which runs beside the bundled data.
///
/// The verbs are those of the language: what a program adds may not be there where the script is run.
struct HelpExamples {
  /// As `help` takes it.
  static let name = "examples"

  /// What every example finds around it.
  static let prelude = [
    "load data/foods.csv",
    "let letters = sectioned foods key: name.firstCharacter sort: name | fetch",
  ]

  var output: Output { Output(.text(lines, data: .array(lines.map(Value.string)))) }

  var lines: [String] {
    var lines = [
      "#!/usr/bin/env dsshell",
      "# The examples of help, a section for each verb and topic. They run in the folder Scripts of",
      "# dsshell, where the data is: `dsshell examples.ds` or `dsshell test examples.ds`.",
    ]
    // Nothing below it would be run.
    let commands = CommandTable.standard.groups.flatMap(\.commands)
      .filter { $0.name != QuitCommand.name }
    lines += commands.flatMap { Self.section($0.name, $0.examples) }
    lines += HelpTopic.all.flatMap { Self.section("help \($0.name)", $0.examples) }
    return lines + ["", "#% section \"\(QuitCommand.name)\"", QuitCommand.name]
  }

  private static func section(_ title: String, _ examples: [String]) -> [String] {
    ["", "#% section \"\(title)\""] + prelude + examples
  }
}
