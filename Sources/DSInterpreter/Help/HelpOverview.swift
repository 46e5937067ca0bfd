import DataTables

/// All commands with their summaries, and the topics.
struct HelpOverview {
  let commands: CommandTable

  var output: Output {
    var lines: [String] = []
    var data: [Value] = []
    let all = commands.groups.flatMap(\.commands)
    let width = all.map { $0.name.count }.max() ?? 0
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
    let topics = (HelpTopic.all.map(\.name) + [HelpExamples.name]).map { "help \($0)" }
    lines += ["", "help COMMAND tells more, with examples; \(topics.joined(separator: ", "))"]
    return Output(.text(lines, data: .array(data)))
  }
}

/// The text with spaces after it, up to a number of characters.
func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

/// Words in lines of at most `width` characters.
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
