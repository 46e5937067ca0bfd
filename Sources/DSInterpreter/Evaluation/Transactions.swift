import DataSources
import DataTables

// The open transaction.
extension Session {
  /// - Throws: ``Diagnostic``, `conflict` if a transaction is open.
  mutating func beginTransaction(
    of source: any DataSource, isBlock: Bool, at span: Span
  ) throws {
    if let transaction {
      throw Diagnostic(
        .conflict,
        "a transaction of \(displayName(of: transaction.source)) is open\(transaction.wayOut)",
        at: span)
    }
    _ = try content(of: source, at: span)
    // The content before the transaction would not be that of the edits.
    if let reason = reasonAgainstEarlierContent(of: source) {
      throw Diagnostic(.conflict, reason, at: span)
    }
    // It would read edits that are not committed.
    let below = SourceGraph.sources(below: source)
    if let fetch = backgroundFetches.first(where: { fetch in
      fetch.outcome == nil && below.contains { fetch.source.wraps($0) }
    }) {
      let name = nameToShow(of: fetch.source)
      throw Diagnostic(.conflict, "\(name) is being fetched; `wait \(name)` first", at: span)
    }
    transaction = OpenTransaction(
      source: source, edits: EditTransaction(below: source), isBlock: isBlock)
  }

  /// Makes a source show the edits of the open transaction. If it cannot, a warning says why, as after
  /// an edit without a transaction.
  mutating func showTransaction(in source: any DataSource) async throws {
    guard let transaction else { return }
    do throws(SourceError) {
      try await transaction.edits.refresh(source, cancellation: cancellation)
    } catch {
      if case .data(.cancelled) = error { throw error }
      warn(
        "\(displayName(of: source)) cannot show the edits of the transaction: "
          + message(of: error, fetching: source) + "; it shows its old content")
    }
  }

  /// Shows the edits of the open transaction as one change, and ends it.
  mutating func commitTransaction(at span: Span) async throws -> CommandResult {
    guard let transaction else { throw noTransaction(at: span) }
    self.transaction = nil
    let source = transaction.source
    do {
      let group = try await transaction.edits.commit(
        cancellation: cancellation, listener: eventListener)
      return await result(of: group, in: source, listsCounts: true)
    } catch {
      throw await diagnostic(of: error, editing: source, .remove(paths: []), at: span)
    }
  }

  /// Reverts the edits of the open transaction, and ends it.
  mutating func rollbackTransaction(at span: Span) throws -> CommandResult {
    guard let transaction else { throw noTransaction(at: span) }
    self.transaction = nil
    transaction.edits.rollback()
    return CommandResult(
      .source(transaction.source),
      Output(.report(report(transaction.edits.counts, "rolled back", of: [transaction.source]))))
  }

  private func noTransaction(at span: Span) -> Diagnostic {
    Diagnostic(.conflict, "no transaction is open; `begin SOURCE` opens one", at: span)
  }

  /// - Parameter reason: a clause that says why, `because …`.
  /// - Throws: ``Diagnostic``, `conflict` while a transaction is open.
  func checkNoTransaction(_ reason: String? = nil, at span: Span) throws {
    guard let transaction else { return }
    throw Diagnostic(
      .conflict,
      "not possible while a transaction of \(displayName(of: transaction.source)) is open"
        + (reason.map { ", \($0)" } ?? "") + transaction.wayOut, at: span)
  }
}
