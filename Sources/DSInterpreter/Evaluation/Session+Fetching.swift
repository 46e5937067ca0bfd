import DataSources
import DataTables

// What all verbs that fetch have in common.
extension Session {
  /// Runs a fetch that the person waits for.
  /// - Throws: ``Diagnostic`` at `span`, with what failed and its mend.
  func fetching(
    _ source: any DataSource, at span: Span,
    _ fetch: (Cancellation, ((TranscriptEntry) -> Void)?) async throws -> Void
  ) async throws {
    do {
      try await fetch(cancellation, eventListener)
    } catch {
      throw diagnostic(ofFetching: source, SourceError(error), at: span)
    }
  }

  /// What is shown of a source that was fetched: its counts, and what a person should know.
  mutating func fetchedResult(_ source: any DataSource) -> CommandResult {
    let warnings =
      readingNotes(of: source) + failures(in: source) + lint(source) + staleFollowers(of: source)
    return CommandResult(.source(source), Output(.report(status(of: source)), warnings: warnings))
  }

  /// What was found out about the rows when the answers to a source were read.
  private func readingNotes(of source: any DataSource) -> [String] {
    guard let source = source as? any RequestingSource else { return [] }
    let name = nameToShow(of: source)
    return LoadSummary(source, name: name).rows.map { "\(name): \($0.text)" }
  }

  func diagnostic(
    ofFetching source: any DataSource, _ error: SourceError, at span: Span
  ) -> Diagnostic {
    if error.isCancelled {
      let old = source.state.snapshot == nil ? "" : "; its old content stays"
      return Diagnostic(
        .cancelled, "fetch of \(nameToShow(of: source)) was cancelled\(old)", at: span)
    }
    var diagnostic = Diagnostic(facts: error)
    diagnostic.message = message(of: error, fetching: source)
    diagnostic.place = span.place
    return diagnostic
  }
}
