import DataTables

/// All examples of the standard commands and of the topics, as one script that runs in the folder
/// that contains the bundled data.
struct HelpExamples {
  /// The subject of `help` that prints the script.
  static let name = "examples"
  var output: Output { Output(.text(lines, data: .array(lines.map(Value.string)))) }

  var lines: [String] {
    // Omits the commands that a program adds: the script may run where they do not exist.
    let commands = CommandTable.standard.commands
    let last = commands.filter { $0.endsScript }
    return [
      "#!/usr/bin/env dsshell",
      "# The examples of help, in a section for each command and topic. Run it in the folder Scripts",
      "# of dsshell, which contains the data: `dsshell examples.ds` or `dsshell test examples.ds`.",
    ]
      + commands.filter { !$0.endsScript }.flatMap { Self.section($0.name, $0.examples) }
      + HelpTopic.all.flatMap { Self.section("help \($0.name)", $0.examples) }
      + last.flatMap { ["", "#% section \"\($0.name)\"", $0.name] }
  }

  private static func section(_ title: String, _ examples: [String]) -> [String] {
    ["", "#% section \"\(title)\""] + ExampleData.all(for: examples) + examples
  }
}
