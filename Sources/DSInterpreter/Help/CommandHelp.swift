import DataTables

/// What is told of one command.
struct CommandHelp {
  let command: any Command.Type
  let commands: CommandTable

  init(_ command: any Command.Type, commands: CommandTable) {
    self.command = command
    self.commands = commands
  }

  var output: Output { Output(.text(lines, data: data)) }

  private var lines: [String] {
    var blocks = [[command.synopsis, "  " + command.summary]]
    let others = command.names.dropFirst()
    if !others.isEmpty { blocks[0].append("  Also: \(others.joined(separator: ", "))") }
    blocks.append(labels + command.notes.map { "  " + $0 })
    blocks.append(command.examples.map { "  " + $0 })
    blocks.append(seeAlso.map { ["  See also: " + $0] } ?? [])
    return Array(blocks.filter { !$0.isEmpty }.joined(separator: [""]))
  }

  private var labels: [String] {
    let names = command.listedLabels.map { "\($0.name):" }
    let width = (names.map(\.count).max() ?? 0) + 2
    let takes = (command.listedLabels.map(\.takes.count).max() ?? 0) + 2
    return zip(names, command.listedLabels).map { name, label in
      "  " + padded(name, to: width) + padded(label.takes, to: takes) + label.example
    }
  }

  /// `fetch, sections; help sort`.
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
          ("label", .string($0.name)), ("takes", .string($0.takes)),
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
