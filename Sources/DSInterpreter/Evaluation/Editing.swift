import DataSources
import DataTables
import Databases

extension Session {
  /// Edits a source; reports its name and the new number of objects.
  /// - Throws: ``Diagnostic`` of kind `notFetched`, or the reason that prevents the edit.
  mutating func edit(
    _ source: any DataSource, _ edit: Edit, at span: Span
  ) async throws -> CommandResult {
    _ = try content(of: source, at: span)
    let edited: any DataSource
    do {
      edited = try await source.edit(edit, cancellation: cancellation)
    } catch {
      var diagnostic = Diagnostic(facts: error)
      if case .data(.badArgument) = SourceError(error),
        let database = await database(of: edit, in: source)
      {
        diagnostic.message =
          "rows of a table are changed with `exec`, such as `exec \(database) \"UPDATE …\"`"
      }
      diagnostic.message = "\(displayName(of: source)): \(diagnostic.message)"
      diagnostic.place = span.place
      throw diagnostic
    }
    let name = displayName(of: edited)
    let report = Report(
      headline: "\(name): \(counted(edited.numberOfObjects, "object"))",
      data: Record([
        ("source", .string(name)), ("sections", .integer(edited.numberOfSections)),
        ("objects", .integer(edited.numberOfObjects)),
      ]))
    let changed = source === edited ? [edited] : [edited, source]
    var warnings: [String] = []
    for source in changed { warnings += await lint(source) }
    warnings += followerWarnings(of: edited)
    return CommandResult(.source(source), Output(.report(report), warnings: warnings))
  }

  /// The name of the database that has the object of an edit; for a new object, of the one from
  /// which all objects of the source are. nil for other objects.
  private func database(of edit: Edit, in source: any DataSource) async -> String? {
    var (source, path) = (source, edit.path)
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
}
