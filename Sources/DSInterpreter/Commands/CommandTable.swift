/// The commands there are: dispatch, help, completion and "did you mean" all read this.
package struct CommandTable: Sendable {
  private(set) var commands: [any Command.Type] = []
  private var positions: [String: Int] = [:]

  package init(_ commands: [any Command.Type]) {
    for command in commands { add(command) }
  }

  /// Adds a command, which takes the place of one with a same name.
  package mutating func add(_ command: any Command.Type) {
    for name in command.names { positions[name] = commands.count }
    commands.append(command)
  }

  package subscript(name: String) -> (any Command.Type)? {
    positions[name].map { commands[$0] }
  }

  /// Every name, the short one of each command first.
  package var names: [String] {
    commands.flatMap { command in
      command.names.filter { self[$0] == command }
    }
  }
}
