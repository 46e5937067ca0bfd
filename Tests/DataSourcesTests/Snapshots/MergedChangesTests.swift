import DataSources
import DataTables
import StoreContract
import TestSupport
import Testing

/// Changes between contents that are not in memory, compared with those between copies of them.
@Suite struct MergedChangesTests {
  private static let id = ObjectKeyPath(key: "id")

  /// A context in which contents of any size are compared without copies.
  private static var context: RequestContext {
    var context = RequestContext()
    context.minTracked = 0
    return context
  }

  private static func local(_ rows: SyntheticRows) -> Snapshot {
    Snapshot(LocalStore(table: rows.table))
  }

  @Test(arguments: 1...UInt64(60)) func theChangesAreThoseBetweenCopies(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    func rows() -> SyntheticRows {
      SyntheticRows(random.below(4) == 0 ? 0 : random.below(400), version: random.below(4))
    }
    let (old, new) = (rows(), rows())
    let (before, after) = (SyntheticEngine(old, .nothing), SyntheticEngine(new, .nothing))
    let left = random.below(3) == 0 ? Self.local(old) : Snapshot(SyntheticStore(before))
    let right = random.below(3) == 0 ? Self.local(new) : Snapshot(SyntheticStore(after))
    let found = try await left.changes(to: right, id: Self.id, Self.context)
    let expected = try await Self.local(old).changes(to: Self.local(new), id: Self.id)
    #expect(found == expected, "seed \(seed)")
    #expect(before.counts.rows <= old.count && after.counts.rows <= new.count)
  }

  @Test func fewObjectsAreHeld() async throws {
    let old = SyntheticEngine(SyntheticRows(20_000), .nothing)
    let new = SyntheticEngine(SyntheticRows(20_100, version: 1), .nothing)
    let changes = try await Snapshot(SyntheticStore(old))
      .changes(to: Snapshot(SyntheticStore(new)), id: Self.id, Self.context)
    #expect(changes.count > 1_000)
    #expect(old.counts.held <= 2_048 && new.counts.held <= 2_048)
  }

  @Test func anotherOrderOfKeysIsNoChange() async throws {
    let source = ColumnsSource(
      StoreSource(SyntheticStore(SyntheticEngine(SyntheticRows(300), .nothing))),
      SyntheticRows.keys.reversed().map {
        ProjectedTable.Column(key: $0, path: ObjectKeyPath(key: $0))
      })
    try await source.fetchData()
    let changes = try await source.content
      .changes(to: Self.local(SyntheticRows(300)), id: Self.id, Self.context)
    #expect(changes == [])
  }

  @Test func contentInAnotherOrderIsCopied() async throws {
    let descending = [SortDescriptor(Self.id, direction: .descending)]
    var contents: [Snapshot] = []
    for version in [0, 1] {
      let rows = SyntheticRows(200, version: version)
      for source in [
        StoreSource(SyntheticStore(SyntheticEngine(rows, .everything))),
        StoreSource(LocalStore(table: rows.table)),
      ] {
        let sorted = SectionedSource(source, sort: descending)
        try await sorted.fetchData()
        contents.append(try sorted.content)
      }
    }
    var limited = Self.context
    limited.copyLimit = 10
    await #expect(throws: SourceError.self) {
      try await contents[0].changes(to: contents[2], id: Self.id, limited)
    }
    let found = try await contents[0].changes(to: contents[2], id: Self.id, Self.context)
    #expect(found == (try await contents[1].changes(to: contents[3], id: Self.id)))
  }

  @Test func aCanceledComparisonEnds() async throws {
    let context = Self.context
    context.cancellation.cancel()
    let content = Snapshot(SyntheticStore(SyntheticEngine(SyntheticRows(100), .nothing)))
    await #expect(throws: SourceError.data(.cancelled)) {
      try await content.changes(
        to: Snapshot(SyntheticStore(SyntheticEngine(SyntheticRows(90), .nothing))), id: Self.id,
        context)
    }
  }
}
