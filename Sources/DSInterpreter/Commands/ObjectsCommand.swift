import DataSources
import DataTables

/// `objects SOURCE [SECTION]`
struct ObjectsCommand: Command {
  static let names = ["objects", "allObjects"]
  static let synopsis = "objects SOURCE [SECTION]"
  static let summary = "Gives the objects of all sections or of one."
  static let examples = ["objects letters [2]", "objects letters"]
  static let seeAlso = ["show", "object", "simple"]

  let listing: ListingArguments

  init(parsing arguments: inout Arguments) throws {
    listing = try ListingArguments(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let listing = try await listing.listing(in: &session, showsPlaces: false)
    return CommandResult(.objects(listing), Output(.objects(listing)))
  }
}
