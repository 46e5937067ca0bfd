package import DataSources
import DataTables
import Synchronization

/// The promise of every store: a source over it shows the same as over these rows in memory, whatever
/// the store computes itself and however it reads its objects.
package struct StoreContract {
  package typealias Maker = @Sendable (SyntheticRows) async throws -> any DataSource
  /// Makes a source in memory; nil for one with the rows themselves.
  private let reference: Maker?
  /// Makes a source over the store under test.
  private let subject: Maker

  package init(reference: Maker? = nil, subject: @escaping Maker) {
    self.reference = reference
    self.subject = subject
  }

  private static let rowsThemselves: Maker = { StoreSource(LocalStore(table: $0.table)) }

  /// The differences of the source itself.
  package func violations(_ rows: SyntheticRows) async throws -> [String] {
    try await violations(rows, of: [])
  }

  /// The differences after the wrappers, the innermost one first, were fetched.
  package func violations(
    _ rows: SyntheticRows, of wrappings: [Wrapping]
  ) async throws -> [String] {
    let found = try await outcome(subject, rows, wrappings)
    let expected = try await expectedOutcome(rows, wrappings)
    switch (found, expected) {
    case (.failure(let found), .failure(let expected)):
      return found.message == expected.message
        ? [] : ["error: \(found.message)\n  expected: \(expected.message)"]
    case (.failure(.data(.unknownKey)), .success) where rows.count == 0: return []
    case (.failure(let found), .success): return ["error: \(found.message)"]
    case (.success, .failure(let expected)): return ["no error: \(expected.message)"]
    case (.success(let found), .success(let expected)): return found.differences(from: expected)
    }
  }

  private typealias Outcome = Result<ContentReads.Outcomes, SourceError>

  private func outcome(
    _ make: Maker, _ rows: SyntheticRows, _ wrappings: [Wrapping]
  ) async throws -> Outcome {
    let extent: ContentReads.Extent =
      rows.count == 0 ? .withoutUnknownKeys : wrappings.count > 1 ? .some : .all
    let source = try await make(rows)
    if wrappings.isEmpty { return .success(try await ContentReads(source, extent).outcomes) }
    switch await fetched(source, wrappings) {
    case .success(let source): return .success(try await ContentReads(source, extent).outcomes)
    case .failure(let error): return .failure(error)
    }
  }

  /// The outcomes over the rows themselves, which are the same for all stores.
  private static let expectedOutcomes = Mutex<[String: Outcome]>([:])

  private func expectedOutcome(
    _ rows: SyntheticRows, _ wrappings: [Wrapping]
  ) async throws -> Outcome {
    if let reference { return try await outcome(reference, rows, wrappings) }
    let name = "\(rows) \(wrappings)"
    if let known = Self.expectedOutcomes.withLock({ $0[name] }) { return known }
    let outcome = try await outcome(Self.rowsThemselves, rows, wrappings)
    Self.expectedOutcomes.withLock { $0[name] = outcome }
    return outcome
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
    for make in [subject, reference ?? Self.rowsThemselves] {
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
