import DataTables

/// `rename OLD NEW`
struct RenameCommand: Command {
  static let names = ["rename"]
  static let synopsis = "rename NAME NEWNAME"
  static let summary = "Binds what a name stands for to another name instead."
  static let examples = ["rename letters byLetter"]
  static let seeAlso = ["drop", "list"]

  let old: Argument
  let new: Argument

  init(parsing arguments: inout Arguments) throws {
    old = try arguments.required("a name")
    new = try arguments.required("a new name")
    guard let name = new.word, Name.isValid(name), !Name.reserved.contains(name.lowercased()) else {
      throw new.error(.badArgument, "`\(new.span.text)` cannot be a name")
    }
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let oldName = old.word ?? ""
    let newName = new.word ?? ""
    guard let value = session.names[oldName] else {
      throw session.unknownName(old.span.text, "nothing is named", at: old.span)
    }
    guard oldName == newName || session.names[newName] == nil else {
      throw new.error(.conflict, "`\(newName)` stands for something already (drop \(newName))")
    }
    session.names.rename(oldName, to: newName)
    return CommandResult(
      value,
      Output(
        .report(
          Report(
            headline: "\(newName): was \(oldName)",
            data: Record([("name", .string(newName)), ("was", .string(oldName))])))))
  }
}
