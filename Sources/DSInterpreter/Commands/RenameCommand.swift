import DataTables

/// `rename NAME NEWNAME`
struct RenameCommand: Command {
  private static let old = Parameter(.boundName)
  private static let new = Parameter(.newName)

  static let names = ["rename"]
  static let parameters = [old, new]
  static let summary = "Renames a bound name."
  static let examples = ["rename letters byLetter"]
  static let seeAlso = ["drop", "list"]

  static func nameChanges(_ words: [String?]) -> NameChanges {
    NameChanges(
      bound: words.dropFirst().compactMap { $0 }, unbound: words.prefix(1).compactMap { $0 })
  }

  private let old: Argument
  private let new: Argument
  private let newName: String

  init(parsing arguments: inout Arguments) throws {
    old = try arguments.require(Self.old)
    new = try arguments.require(Self.new)
    newName = try new.newName()
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let oldName = old.word ?? ""
    guard let value = session.names[oldName] else {
      throw session.unknownName(old.span.text, at: old.span)
    }
    guard oldName == newName || session.names[newName] == nil else {
      throw new.error(.conflict, "`\(newName)` is already bound (drop \(newName))")
    }
    session.names.rename(oldName, to: newName)
    session.execution.boundNames.insert(newName)
    return CommandResult(
      value,
      Output(
        .report(
          Report(
            headline: "\(newName): was \(oldName)",
            data: Record([("name", .string(newName)), ("was", .string(oldName))])))))
  }
}

/// `drop NAME …`
struct DropCommand: Command {
  private static let target = Parameter(.boundName, .repeated)

  static let names = ["drop"]
  static let parameters = [target]
  static let summary = "Unbinds names; a source that has wrappers stays available to them."
  static let notes = [
    "A background fetch is canceled when neither its source nor any wrapper has a name. A source",
    "without a name is no longer watched.",
  ]
  static let examples = ["drop letters"]
  static let seeAlso = ["rename", "list"]

  static func nameChanges(_ words: [String?]) -> NameChanges {
    NameChanges(unbound: words.compactMap { $0 })
  }

  private let targets: [Argument]

  init(parsing arguments: inout Arguments) throws {
    var targets = [try arguments.require(Self.target)]
    while let next = try arguments.take(Self.target) { targets.append(next) }
    self.targets = targets
  }

  func run(in session: inout Session) async throws -> CommandResult {
    var names: [String] = []
    // Check all names first, so that an unknown name drops nothing.
    for target in targets {
      guard let name = target.word, session.names[name] != nil else {
        throw session.unknownName(target.span.text, at: target.span)
      }
      names.append(name)
    }
    for name in names { session.unbind(name) }
    session.cancelUnnamedFetches()
    return CommandResult(
      .none,
      Output(
        .report(
          Report(
            headline: "\(names.joined(separator: ", ")): dropped",
            data: Record([("dropped", .array(names.map(Value.string)))])))))
  }
}
