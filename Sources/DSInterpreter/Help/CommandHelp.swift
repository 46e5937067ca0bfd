import DataTables

/// The help of one command.
struct CommandHelp {
  private let command: any CommandDeclaration.Type
  private let commands: CommandTable
  private let notes: [String]
  private let examples: ExampleLines

  /// - Parameters:
  ///   - notes: the notes of the command; nil for those of its declaration.
  ///   - folder: the folder of the bundled data; nil if it is not known.
  init(
    _ command: any CommandDeclaration.Type, commands: CommandTable, notes: [String]? = nil,
    folder: String? = nil
  ) {
    self.command = command
    self.commands = commands
    self.notes = notes ?? command.notes
    examples = ExampleLines(folder: folder)
  }

  var output: Output {
    var output = Output(.text(lines(notes: notes), data: data))
    output.paragraphs = lines(notes: Paragraphs.joined(notes))
    return output
  }

  private func lines(notes: [String]) -> [String] {
    var blocks = [[command.synopsis, "  " + command.summary]]
    let others = command.names.dropFirst()
    if !others.isEmpty { blocks[0].append("  Also: \(others.joined(separator: ", "))") }
    blocks.append(labels)
    blocks.append(notes.map { $0.isEmpty ? "" : "  " + $0 })
    blocks.append(examples.lines(of: command.examples))
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

/// `text`, padded with spaces to `width` characters.
package func padded(_ text: String, to width: Int) -> String {
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
