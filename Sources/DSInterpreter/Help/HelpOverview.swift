import DataTables

/// The tasks with their commands, and where further help is.
struct HelpOverview {
  let commands: CommandTable

  var output: Output {
    let width = (commands.groups.map(\.title.count).max() ?? 0) + 2
    var lines = ["Tasks, and the commands for each:"]
    for group in commands.groups {
      let names = group.commands.map { $0.name }
      lines.append("  " + padded(group.title, to: width) + group.task)
      lines += wrapped(names.dropLast().map { $0 + "," } + names.suffix(1), to: 78 - width)
        .map { "  " + padded("", to: width) + $0 }
    }
    lines += [
      "", "help COMMAND    a command with its labels and examples; help commands lists all",
      "help TOPIC      a subject:",
    ]
    lines += wrapped(commands.helpSubjects.map { $0 + "," }, to: 64)
      .map { padded("", to: 16) + $0 }
    // The last subject needs no comma.
    if let last = lines.popLast() { lines.append(String(last.dropLast())) }
    lines.append("apropos WORD    everything in help that mentions a word")
    return Output(.text(lines, data: .array(commands.groups.map(\.record))))
  }
}

/// The commands of one task, or of all tasks, each with its summary.
struct HelpCommandList {
  /// The subject of `help` that lists all commands.
  static let name = "commands"

  let groups: [CommandTable.Group]

  var output: Output {
    let commands = groups.flatMap(\.commands)
    let width = (commands.map { $0.name.count }.max() ?? 0) + 2
    var lines: [String] = []
    for group in groups {
      lines.append(group.task.isEmpty ? group.title : "\(group.title): \(group.task)")
      lines += group.commands.map { "  " + padded($0.name, to: width) + $0.summary }
    }
    let data = groups.flatMap { group in
      group.commands.map { command in
        Value.record(
          Record([
            ("command", .string(command.name)), ("group", .string(group.title)),
            ("summary", .string(command.summary)),
          ]))
      }
    }
    return Output(.text(lines, data: .array(data)))
  }
}

extension CommandTable.Group {
  fileprivate var record: Value {
    .record(
      Record([
        ("task", .string(title)), ("summary", .string(task)),
        ("commands", .array(commands.map { .string($0.name) })),
      ]))
  }
}
