import DataTables

/// The help of one command.
struct CommandHelp {
  private let command: any CommandDeclaration.Type
  private let commands: CommandTable

  init(_ command: any CommandDeclaration.Type, commands: CommandTable) {
    self.command = command
    self.commands = commands
  }

  var output: Output {
    var output = Output(.text(lines(notes: command.notes), data: data))
    output.paragraphs = lines(notes: Paragraphs.joined(command.notes))
    return output
  }

  private func lines(notes: [String]) -> [String] {
    var blocks = [[command.synopsis, "  " + command.summary]]
    let others = command.names.dropFirst()
    if !others.isEmpty { blocks[0].append("  Also: \(others.joined(separator: ", "))") }
    blocks.append(labels)
    blocks.append(notes.map { $0.isEmpty ? "" : "  " + $0 })
    blocks.append(command.examples.map { "  " + $0 })
    blocks.append(seeAlso.map { ["  See also: " + $0] } ?? [])
    return Array(blocks.filter { !$0.isEmpty }.joined(separator: [""]))
  }

  /// The labels in columns: name, values and example. The values of a label without an example do
  /// not widen their column.
  private var labels: [String] {
    let listed = command.listedLabels
    let width = (listed.map(\.name.count).max() ?? 0) + 3
    let helpWidth =
      (listed.filter { !$0.helpExample.isEmpty }.map(\.help.count).max() ?? 0) + 2
    return listed.map { label in
      let name = "  " + padded("\(label.name):", to: width)
      if label.helpExample.isEmpty { return name + label.help }
      return name + padded(label.help, to: helpWidth) + label.helpExample
    }
  }

  /// `fetch, sections; help sort`
  private var seeAlso: String? {
    let verbs = command.seeAlso.filter { commands[$0] != nil }
    let topics = command.seeAlso.filter { commands[$0] == nil }.map { "help \($0)" }
    let parts = [verbs, topics].filter { !$0.isEmpty }.map { $0.joined(separator: ", ") }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  private var data: Value {
    let labels = command.listedLabels.map {
      Value.record(
        Record([
          ("label", .string($0.name)), ("takes", .string($0.help)),
          ("example", .string($0.example)),
        ]))
    }
    return .record(
      Record([
        ("names", .array(command.names.map(Value.string))),
        ("synopsis", .string(command.synopsis)), ("summary", .string(command.summary)),
        ("labels", .array(labels)), ("examples", .array(command.examples.map(Value.string))),
      ]))
  }
}

/// All commands with their summaries, and the topics.
struct HelpOverview {
  let commands: CommandTable

  var output: Output {
    var lines: [String] = []
    var data: [Value] = []
    let width = commands.commands.map { $0.name.count }.max() ?? 0
    for group in commands.groups {
      lines.append(group.title)
      for command in group.commands {
        lines.append("  " + padded(command.name, to: width) + "  " + command.summary)
        data.append(
          .record(
            Record([
              ("command", .string(command.name)), ("group", .string(group.title)),
              ("summary", .string(command.summary)),
            ])))
      }
    }
    lines += ["", "help COMMAND shows the details of a command, help TOPIC explains a subject:"]
    lines.append("  " + HelpTopic.subjects.joined(separator: ", "))
    return Output(.text(lines, data: .array(data)))
  }
}

/// All examples of the standard commands and of the topics, as one script that runs in the folder
/// that contains the bundled data.
struct HelpExamples {
  /// The subject of `help` that prints the script.
  static let name = "examples"
  /// The commands that run before each example.
  private static let prelude = [
    "load data/foods.csv",
    "let letters = sectioned foods key: name.firstCharacter sort: name | fetch",
  ]
  private static let databasePrelude = [
    "let shop = open company.sqlite write: true",
    "let staff = simple [{id: 7, name: Ann, city: Oslo, age: 41, dept: A, sal: 100}]",
    "save staff shop.people overwrite: true",
    "let staff = fetchedResults shop.people sort: name | fetch",
  ]

  /// The commands that create what examples use.
  static func prelude(to examples: [String]) -> [String] {
    let useDatabase = examples.contains { $0.contains("shop") || $0.contains("staff") }
    return prelude + (useDatabase ? databasePrelude : [])
  }

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
    ["", "#% section \"\(title)\""] + prelude(to: examples) + examples
  }
}

/// `text`, padded with spaces to `width` characters.
func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

/// Joins words with spaces into lines of at most `width` characters; a longer word is a line of its
/// own.
func wrapped(_ words: [String], to width: Int) -> [String] {
  var lines: [String] = []
  for word in words {
    if let line = lines.last, line.count + 1 + word.count <= width {
      lines[lines.count - 1] += " " + word
    } else {
      lines.append(word)
    }
  }
  return lines
}
