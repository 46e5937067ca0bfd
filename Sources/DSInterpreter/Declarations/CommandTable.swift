/// The commands of a session, for dispatch, help, completion and suggestions.
package struct CommandTable: Sendable {
  /// Commands that help lists together.
  package struct Group: Sendable {
    package let title: String
    package fileprivate(set) var commands: [any CommandDeclaration.Type]

    package init(_ title: String, _ commands: [any CommandDeclaration.Type]) {
      self.title = title
      self.commands = commands
    }
  }

  package private(set) var groups: [Group] = []
  private var byName: [String: any CommandDeclaration.Type] = [:]

  package init(_ groups: [Group]) {
    for group in groups {
      for command in group.commands { add(command, to: group.title) }
    }
  }

  /// Adds a command. If an earlier command has the same name, the name refers to the new command.
  package mutating func add(_ command: any CommandDeclaration.Type, to title: String) {
    for name in command.names { byName[name] = command }
    if let index = groups.firstIndex(where: { $0.title == title }) {
      groups[index].commands.append(command)
    } else {
      groups.append(Group(title, [command]))
    }
  }

  package subscript(name: String) -> (any CommandDeclaration.Type)? { byName[name] }

  /// Whether a command has a label of this name. Searches the labels of all commands, because
  /// collecting the names in advance would take a quarter of the start-up time.
  func haveLabel(_ name: String) -> Bool {
    groups.contains { group in
      group.commands.contains { command in command.allLabels.contains { $0.name == name } }
    }
  }

  /// All commands, in the order of help.
  package var commands: [any CommandDeclaration.Type] { groups.flatMap(\.commands) }

  /// All names of all commands, in the order of help.
  package var names: [String] { commands.flatMap { $0.names } }
}
