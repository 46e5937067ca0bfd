import DataSources
import DataTables

/// `show SOURCE [SECTION]`
struct ShowCommand: Command {
  static let names = ["show"]
  static let synopsis = "show SOURCE [SECTION]"
  static let summary = "Shows sections with their titles, and objects with their index paths."
  static let examples = ["show letters", "show letters [5]"]
  static let seeAlso = ["sections", "objects"]

  let listing: ListingArguments

  init(parsing arguments: inout Arguments) throws {
    listing = try ListingArguments(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let listing = try await listing.listing(in: &session, showsPlaces: true)
    return CommandResult(.objects(listing), Output(.objects(listing)))
  }
}
