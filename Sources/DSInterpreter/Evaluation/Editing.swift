import DataSources
import DataTables
import Databases

// Edits of objects, and the results of all edits.
extension Session {
  /// Edits a source, as a step of the open transaction if there is one.
  ///
  /// - Parameter isSearch: whether a condition has found the objects, so that their number is listed
  ///   even if it is 0 or 1.
  /// - Throws: ``Diagnostic`` of kind `notFetched`, or the reason that prevents the edit.
  mutating func edit(
    _ source: any DataSource, _ edit: Edit, isSearch: Bool = false, at span: Span
  ) async throws -> CommandResult {
    _ = try content(of: source, at: span)
    do {
      var result = try await step(in: source, listsCounts: isSearch) { edits, cancellation in
        try await edits.apply(edit, to: source, cancellation: cancellation)
      }
      if isSearch, edit.paths.isEmpty, case .report(var report) = result.output.content {
        report.headline += ", 0 objects matched"
        result.output.content = .report(report)
      }
      return result
    } catch {
      throw await diagnostic(of: error, editing: source, edit, at: span)
    }
  }

  /// Makes an edit of a source as a step of the open transaction, or else as one of its own.
  mutating func step(
    in source: any DataSource, listsCounts: Bool = false,
    _ edit: (EditTransaction, Cancellation) async throws -> Void
  ) async throws -> CommandResult {
    guard let transaction else {
      let cancellation = cancellation
      let group = try await EditTransaction.making(
        cancellation: cancellation, listener: eventListener
      ) { try await edit($0, cancellation) }
      return await result(of: group, in: source, listsCounts: listsCounts)
    }
    try await edit(transaction.edits, cancellation)
    if transaction.isBlock { return CommandResult(.source(source)) }
    try await showTransaction(in: transaction.source)
    return CommandResult(
      .source(source),
      Output(.report(report(transaction.edits.counts, "not committed", of: [transaction.source]))))
  }

  func diagnostic(
    of error: any Error, editing source: any DataSource, _ edit: Edit, at span: Span
  ) async -> Diagnostic {
    if let earlier = diagnostic(ofEarlierContent: error, below: source, at: span) { return earlier }
    if SourceError(error) == .outdatedObject, let reason = reasonAgainstOutdatedContent(of: source)
    {
      return Diagnostic(.conflict, reason, at: span)
    }
    var diagnostic = Diagnostic(facts: error)
    if diagnostic.kind == .conflict, let hint = transaction?.hint(editing: source, in: self) {
      diagnostic.message += hint
    }
    if case .data(.badArgument) = SourceError(error),
      let database = await database(of: edit, in: source)
    {
      diagnostic.message =
        "rows of a table are changed with `exec`, such as `exec \(database) \"UPDATE …\"`"
    }
    diagnostic.message = "\(displayName(of: source)): \(diagnostic.message)"
    diagnostic.place = span.place
    return diagnostic
  }

  /// The name of the database that has the object of an edit; for a new object, of the one from
  /// which all objects of the source are. nil for other objects.
  private func database(of edit: Edit, in source: any DataSource) async -> String? {
    var (source, path) = (source, edit.paths.first)
    while let place = path, let snapshot = source.state.snapshot,
      let origin = try? await source.origin(of: place, in: snapshot),
      source.children.indices.contains(origin.child)
    {
      (source, path) = (source.children[origin.child], origin.path)
    }
    return databaseOfRows(below: source)
  }

  /// The name of the database from which all objects of a source are; nil for other objects.
  private func databaseOfRows(below source: any DataSource) -> String? {
    var found: Database?
    var open: [any DataSource] = [source]
    while let next = open.popLast() {
      if let table = next as? TableSource {
        found = table.database
      } else if let query = next as? QuerySource {
        found = query.database
      } else if next.children.isEmpty {
        return nil
      }
      open += next.children
    }
    return found.flatMap(name)
  }

  /// The result of edits that are shown.
  ///
  /// - Parameters:
  ///   - done: what was done with edits that were counted before, such as `undone`.
  ///   - listsCounts: whether to list the counts of a single edit, too.
  mutating func result(
    of group: EditGroup, in source: any DataSource, _ done: String? = nil,
    listsCounts: Bool = false
  ) async -> CommandResult {
    let sources = group.sources.isEmpty ? [source] : group.sources
    await observeNewChildren(of: sources)
    let isSingle = !listsCounts && done == nil && group.counts.total == 1
    let report = report(group.counts, done, of: sources, listsCounts: !isSingle)
    var warnings: [String] = []
    for source in sources + (sources.contains { $0 === source } ? [] : [source]) {
      warnings += await lint(source)
    }
    for source in sources {
      for warning in followerWarnings(of: source) where !warnings.contains(warning) {
        warnings.append(warning)
      }
    }
    return CommandResult(.source(source), Output(.report(report), warnings: warnings))
  }

  /// `foods: 13 objects, 2 inserted, 1 removed`, `menu: 2 sections, 7 objects, 1 section moved`
  func report(
    _ counts: EditCounts, _ done: String?, of sources: [any DataSource], listsCounts: Bool = true
  ) -> Report {
    let sizes = sources.map { source in
      let sections =
        counts.sections > 0 && source is MultiSource
        ? counted(source.numberOfSections, "section") + ", " : ""
      return "\(displayName(of: source)): \(sections)\(counted(source.numberOfObjects, "object"))"
    }
    let changed = listsCounts ? counts.listed : []
    let list = changed.map(\.phrase).joined(separator: ", ")
    let what = [done, list.isEmpty ? nil : list].compactMap { $0 }.joined(separator: ": ")
    let first = sources[0]
    return Report(
      headline: sizes.joined(separator: ", ") + (what.isEmpty ? "" : ", \(what)"),
      data: Record(
        [
          ("source", .string(displayName(of: first))),
          ("sections", .integer(first.numberOfSections)),
          ("objects", .integer(first.numberOfObjects)),
        ] + changed.map { ($0.key, Value.integer($0.count)) }))
  }

  /// Warnings about keys of new values that no object of the source has.
  func warnings(ofNewKeys keys: [String], in source: any DataSource) -> [String] {
    guard let content = source.state.snapshot, content.numberOfObjects > 0 else { return [] }
    let known = content.keys
    guard !known.isEmpty else { return [] }
    // The reported keys are among them, so that each is reported once.
    var reported = Set(known)
    return keys.filter { reported.insert($0).inserted }.map { key in
      let near = Suggestion.nearest(to: key, among: known).map { "; did you mean `\($0)`?" } ?? ""
      return "no other object of \(displayName(of: source)) has the key \(UnknownKey(key))\(near)"
    }
  }
}

extension EditCounts {
  /// The counts that are not 0: their keys for programs and their phrases for people.
  fileprivate var listed: [(key: String, count: Int, phrase: String)] {
    let objects = [
      ("inserted", inserted), ("removed", removed), ("updated", updated), ("moved", moved),
    ]
    let sections = [
      ("inserted", insertedSections), ("removed", removedSections), ("moved", movedSections),
    ]
    return
      (objects.map { ($0, $1, "\($1.grouped) \($0)") }
      + sections.map { ("\($0)Sections", $1, "\(counted($1, "section")) \($0)") })
      .filter { $0.1 > 0 }
  }
}
