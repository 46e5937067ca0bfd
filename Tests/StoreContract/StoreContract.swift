package import DataSources
import DataTables

/// The promise of every store: a source over it shows the same as over these rows in memory, whatever
/// the store computes itself and however it reads its objects.
package struct StoreContract {
  /// Makes a source in memory, and one over the store under test, with the rows of a version.
  package let reference: @Sendable (SyntheticRows) async throws -> any DataSource
  package let subject: @Sendable (SyntheticRows) async throws -> any DataSource

  package init(
    reference: @escaping @Sendable (SyntheticRows) async throws -> any DataSource = {
      StoreSource(LocalStore(table: $0.table))
    },
    subject: @escaping @Sendable (SyntheticRows) async throws -> any DataSource
  ) {
    self.reference = reference
    self.subject = subject
  }

  /// The differences of the source itself.
  package func violations(_ rows: SyntheticRows) async throws -> [String] {
    let extent: ContentReads.Extent = rows.count == 0 ? .withoutUnknownKeys : .all
    return try await ContentReads(try await subject(rows), extent)
      .differences(from: ContentReads(try await reference(rows), extent))
  }

  /// The differences after the wrappers, the innermost one first, were fetched.
  package func violations(
    _ rows: SyntheticRows, of wrappings: [Wrapping]
  ) async throws -> [String] {
    let extent: ContentReads.Extent =
      rows.count == 0 ? .withoutUnknownKeys : wrappings.count > 1 ? .some : .all
    let found = await fetched(try await subject(rows), wrappings)
    let expected = await fetched(try await reference(rows), wrappings)
    switch (found, expected) {
    case (.failure(let found), .failure(let expected)):
      return found.message == expected.message
        ? [] : ["error: \(found.message)\n  expected: \(expected.message)"]
    case (.failure(.data(.unknownKey)), .success) where rows.count == 0: return []
    case (.failure(let found), .success): return ["error: \(found.message)"]
    case (.success, .failure(let expected)): return ["no error: \(expected.message)"]
    case (.success(let found), .success(let expected)):
      return try await ContentReads(found, extent)
        .differences(from: ContentReads(expected, extent))
    }
  }

  private func fetched(
    _ source: any DataSource, _ wrappings: [Wrapping]
  ) async -> Result<any DataSource, SourceError> {
    do {
      var source = source
      for wrapping in wrappings { source = try wrapping.wrap(source) }
      try await source.fetchData()
      return .success(source)
    } catch {
      return .failure(SourceError(error))
    }
  }

  /// The differences of the changes between two versions of the rows.
  package func violationsOfChanges(
    from old: SyntheticRows, to new: SyntheticRows, of wrapping: Wrapping?
  ) async throws -> [String] {
    let wrappings = wrapping.map { [$0] } ?? []
    var texts: [[String]] = []
    for make in [subject, reference] {
      guard case .success(let before) = await fetched(try await make(old), wrappings),
        case .success(let after) = await fetched(try await make(new), wrappings)
      else { return [] }
      texts.append([])
      for id in [nil, ObjectKeyPath(key: "id")] {
        do {
          let changes = try await before.content.changes(to: try after.content, id: id)
          texts[texts.count - 1].append("\(changes)")
        } catch {
          texts[texts.count - 1].append(SourceError(error).message)
        }
      }
    }
    return zip(texts[0], texts[1]).filter { $0 != $1 }.map { "\($0)\n  expected: \($1)" }
  }
}
