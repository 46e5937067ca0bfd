/// The commands there are: dispatch, help, completion and "did you mean" all read this.
package struct CommandTable: Sendable {
  /// Commands that help shows together.
  package struct Group: Sendable {
    package let title: String
    package fileprivate(set) var commands: [any Command.Type]

    package init(_ title: String, _ commands: [any Command.Type]) {
      self.title = title
      self.commands = commands
    }
  }
  package private(set) var groups: [Group] = []
  /// The names of all labels of all commands.
  private(set) var labelNames: Set<String> = []
  private var byName: [String: any Command.Type] = [:]

  package init(_ groups: [Group]) {
    for group in groups {
      for command in group.commands { add(command, to: group.title) }
    }
  }

  /// Adds a command, which takes the names that others have.
  package mutating func add(_ command: any Command.Type, to title: String) {
    for name in command.names { byName[name] = command }
    labelNames.formUnion(command.allLabels.map(\.name))
    if let index = groups.firstIndex(where: { $0.title == title }) {
      groups[index].commands.append(command)
    } else {
      groups.append(Group(title, [command]))
    }
  }

  package subscript(name: String) -> (any Command.Type)? { byName[name] }

  /// Every name, in the order of help.
  package var names: [String] { groups.flatMap { $0.commands.flatMap { $0.names } } }
}
