/// The commands of a session, for dispatch, help, completion and suggestions.
package struct CommandTable: Sendable {
  /// Commands for one task, which help lists together.
  package struct Group: Sendable {
    /// The word for the task: `load`.
    package let title: String
    /// The task as a clause: `read files, URLs and values`.
    package let task: String
    package let effect: Effect
    package fileprivate(set) var commands: [any CommandDeclaration.Type]

    package init(
      _ title: String, task: String = "", effect: Effect = .changes,
      _ commands: [any CommandDeclaration.Type]
    ) {
      self.title = title
      self.task = task
      self.effect = effect
      self.commands = commands
    }
  }

  /// The effect that commands have on those after them.
  package enum Effect: Sendable {
    case none
    /// They make or change sources, databases or responses.
    case changes
    /// They change how results are shown.
    case settings
    /// They are about the session itself and are not part of a script that repeats it.
    case session
  }

  package private(set) var groups: [Group] = []
  /// The subjects of `help` that were added to those of the language.
  var topics: [HelpTopic] { makeTopics?() ?? [] }
  /// A function, because most sessions do not read the texts.
  private var makeTopics: (@Sendable () -> [HelpTopic])?
  private var byName: [String: any CommandDeclaration.Type] = [:]
  /// The verbs that scripts define, in order; those that only a parsed script defines have no
  /// definition yet.
  private var defined: [(signature: Signature, definition: (any VerbDefinition)?)] = []

  /// The command that calls verbs that scripts define; nil if none can be called.
  let call: (any CommandDeclaration.Type)?
  /// The command that runs a script, whose definitions the lines after it may use.
  private(set) var include: (any CommandDeclaration.Type)?
  /// The names of the properties of sources, which are easily mistaken for commands.
  let properties: [String]

  /// - Parameters:
  ///   - call: the command that calls verbs that scripts define.
  ///   - include: the command that runs a script.
  ///   - properties: names of properties, for suggestions.
  package init(
    _ groups: [Group], call: (any CommandDeclaration.Type)? = nil,
    include: (any CommandDeclaration.Type)? = nil, properties: [String] = []
  ) {
    self.call = call
    self.include = include
    self.properties = properties
    // Most commands have one or two names. Growing the dictionary step by step would take a seventh of
    // the start-up time.
    byName.reserveCapacity(2 * groups.reduce(0) { $0 + $1.commands.count })
    for group in groups { add(group) }
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

  /// Adds commands for one more task.
  package mutating func add(_ group: Group) {
    groups.append(Group(group.title, task: group.task, effect: group.effect, []))
    for command in group.commands { add(command, to: group.title) }
  }

  /// Adds subjects of `help`, which are made when they are read.
  package mutating func setTopics(_ topics: @escaping @Sendable () -> [HelpTopic]) {
    makeTopics = topics
  }

  /// The table with which a parser reads no other scripts.
  var withoutInclusion: CommandTable {
    var table = self
    table.include = nil
    return table
  }

  package subscript(name: String) -> (any CommandDeclaration.Type)? { byName[name] }

  /// The effect of a command; an unknown one may change anything.
  package func effect(of command: any CommandDeclaration.Type) -> Effect {
    let group = groups.first { group in group.commands.contains { $0 == command } }
    return group?.effect ?? .changes
  }

  /// Whether a command has a label of this name. Searches the labels of all commands, because
  /// collecting the names in advance would take a quarter of the start-up time.
  func haveLabel(_ name: String) -> Bool {
    groups.contains { group in
      group.commands.contains { command in command.allLabels.contains { $0.name == name } }
    }
  }

  /// All commands, in the order of help.
  package var commands: [any CommandDeclaration.Type] { groups.flatMap(\.commands) }

  /// All names of all commands, in the order of help, then those of the verbs that scripts define.
  package var names: [String] { commands.flatMap { $0.names } + defined.map(\.signature.name) }
}

// Verbs that scripts define.
extension CommandTable {
  /// The verbs that scripts define, in the order of their definitions.
  var signatures: [Signature] { defined.map(\.signature) }

  func signature(named name: String) -> Signature? {
    defined.first { $0.signature.name == name }?.signature
  }

  /// The synopsis of a command, or of a verb that a script defines.
  func synopsis(of name: String) -> String? {
    self[name]?.synopsis ?? signature(named: name)?.synopsis
  }

  /// The definition of a verb; nil if its `def` has not run.
  func definition(named name: String) -> (any VerbDefinition)? {
    defined.first { $0.signature.name == name }?.definition
  }

  /// Makes the name of a parsed `def` a verb.
  mutating func declare(_ signature: Signature) {
    guard let index = defined.firstIndex(where: { $0.signature.name == signature.name }) else {
      defined.append((signature, nil))
      return
    }
    // A call that runs before the new `def` calls the earlier one.
    defined[index].signature = signature
  }

  /// Adds a verb, or replaces the one of its name.
  mutating func define(_ definition: any VerbDefinition) {
    declare(definition.signature)
    for index in defined.indices where defined[index].signature.name == definition.signature.name {
      defined[index].definition = definition
    }
  }
}
