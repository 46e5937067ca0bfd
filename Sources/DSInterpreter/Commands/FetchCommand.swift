import DataSources
import DataTables

/// `fetch SOURCE`
struct FetchCommand: Command {
  static let names = ["fetch", "fetchData"]
  static let synopsis = "fetch SOURCE"
  static let summary =
    "Brings a source and all that it wraps up to date, and gives the source back."
  static let examples = ["fetch letters", "load data/foods.csv | fetch"]
  static let seeAlso = ["sections", "events", "tree"]
  static let gives = Gift.sameSource

  let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> Answer {
    let source = try await source.source(in: &session)
    let name = session.nameToShow(of: source)
    do {
      try await source.fetchData(cancellation: session.cancellation)
    } catch {
      throw diagnostic(of: SourceError(error), fetching: source, name: name, in: session)
    }
    let repetition = (source as? SectionedSource).flatMap { session.repetition(in: $0) }
    return Answer(
      .source(source),
      Output(
        .report(session.status(of: source)),
        warnings: (repetition.map { [$0] } ?? []) + session.staleFollowers(of: source)))
  }

  private func diagnostic(
    of error: SourceError, fetching source: any DataSource, name: String, in session: Session
  ) -> Diagnostic {
    if error.isCancelled {
      let old = source.state.snapshot == nil ? "" : "; its old content stays"
      return Diagnostic(.cancelled, "fetch of \(name) was cancelled\(old)", at: self.source.span)
    }
    var diagnostic = Diagnostic(facts: error)
    diagnostic.message = session.message(of: error, fetching: source)
    diagnostic.place = self.source.span.place
    return diagnostic
  }
}

extension Session {
  /// The warning that titles repeat, and how to mend it; nil when none do.
  func repetition(in source: SectionedSource) -> String? {
    guard let repeated = source.state.snapshot?.repeatedTitles, !repeated.isEmpty,
      let key = source.key
    else { return nil }
    var titles = repeated.prefix(4).map { title in
      let more = title.count > title.sections.count ? ", …" : ""
      let sections = title.sections.map(String.init).joined(separator: ", ")
      return "\(title.title.excerpt) \(sections)\(more)"
    }
    if repeated.count > titles.count { titles.append("\(repeated.count - titles.count) more") }
    let cause =
      source.sort.isEmpty
      ? "\(displayName(of: source.source)) is not in order of \(key)"
      : "`sort:` does not put \(key) first"
    let sort = ([SortDescriptor(key)] + source.sort.filter { $0.keyPath != key })
    return "titles repeat (\(titles.joined(separator: "; "))) because \(cause); "
      + "`sort: \(sort.map(\.description).joined(separator: ", "))` mends it"
  }
}
