import DataSources
import DataTables
import Databases

/// `close DATABASE`
struct CloseCommand: Command {
  static let names = ["close"]
  static let parameters = [Parameter.database]
  static let summary = "Closes a database and unbinds its name."
  static let notes = [
    "Sources of its tables keep their counts, but their rows can no longer be read, and they are no",
    "longer watched.",
  ]
  static let examples = ["close shop"]
  static let seeAlso = ["open", "drop"]

  static func nameChanges(_ words: [String?]) -> NameChanges {
    NameChanges(unbound: words.prefix(1).compactMap { $0 })
  }

  private let database: DatabaseArgument

  init(parsing arguments: inout Arguments) throws {
    database = try DatabaseArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let database = try await database.database(in: &session)
    let name = session.name(of: database)
    session.unwatch(tablesOf: database)
    await database.close()
    for binding in session.bindings {
      if case .database(let bound) = binding.value, bound === database {
        session.unbind(binding.name)
      }
    }
    return CommandResult(
      .none,
      Output(
        .report(Report(headline: "\(name): closed", data: Record([("closed", .string(name))])))))
  }
}
