import DataSources
import DataTables

/// `deleteCache [NAME]`
struct DeleteCacheCommand: Command {
  private static let name = Parameter("NAME", .string, .optional)

  static let names = ["deleteCache"]
  static let parameters = [name]
  static let summary = "Deletes the cache of fetched results with a name, or all without a name."
  static let notes = [
    "The next fetch computes the results again. The sections of tables are kept on disk, until the",
    "request or the table changes; those of other sources are kept in memory.",
  ]
  static let examples = ["deleteCache staff", "deleteCache"]
  static let seeAlso = ["fetchedResults", "fetch"]

  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    name = try arguments.take(Self.name)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let sources = session.bindings.flatMap { binding -> [any DataSource] in
      guard case .source(let source) = binding.value else { return [] }
      return SourceGraph.sources(below: source)
    }
    let known = Set(session.caches.names + sources.flatMap(\.state.cacheNames)).sorted()
    let deleted: [String]
    if let name {
      let wanted = try await name.string(in: &session)
      deleted = known.filter { $0 == wanted }
      if deleted.isEmpty, let near = Suggestion.nearest(to: wanted, among: known) {
        session.warn("no cache is named `\(wanted)`; did you mean `\(near)`?")
      }
    } else {
      deleted = known
    }
    for name in deleted {
      for source in sources { source.state.removeCache(name) }
      do throws(TableError) {
        try session.caches.remove(name)
      } catch {
        throw SourceError(error)
      }
    }
    let names = deleted.isEmpty ? "" : ": " + deleted.joined(separator: ", ")
    return CommandResult(
      .none,
      Output(
        .report(
          Report(
            headline: "\(counted(deleted.count, "cache")) deleted\(names)",
            data: Record([("deleted", .array(deleted.map(Value.string)))])))))
  }
}
