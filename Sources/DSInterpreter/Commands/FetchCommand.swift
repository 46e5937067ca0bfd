import DataSources
import DataTables

/// `fetch SOURCE`
struct FetchCommand: Command {
  static let names = ["fetch", "fetchData"]
  static let synopsis = "fetch SOURCE [discard: true]"
  static let summary =
    "Brings a source and all that it wraps up to date, and gives the source back."
  static let labels = [
    Label(
      "discard", "true reads files anew that were edited", example: "true",
      completion: .words(["true", "false"]))
  ]
  static let examples = ["fetch letters", "load data/foods.csv | fetch"]
  static let seeAlso = ["sections", "events", "tree", "sources"]
  static let gives = Gift.sameSource

  let source: SourceArgument
  let discard: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    discard = try arguments.label("discard")
  }

  func run(in session: inout Session) async throws -> Answer {
    let source = try await source.source(in: &session)
    let name = session.nameToShow(of: source)
    do {
      try await source.fetchData(
        discardingEdits: try discard?.bool() ?? false, cancellation: session.cancellation,
        progress: session.progress, listener: session.eventListener)
    } catch {
      throw diagnostic(of: SourceError(error), fetching: source, name: name, in: session)
    }
    let warnings =
      session.failures(in: source) + session.lint(source) + session.staleFollowers(of: source)
    return Answer(
      .source(source), Output(.report(session.status(of: source)), warnings: warnings))
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
