import DataSources
import DataTables
import Testing

@Suite struct EditingTests {
  static let foods: [Value] = [
    ["name": "Pie", "kind": "sweet"], ["name": "Apple", "kind": "fruit"],
    ["name": "Fig", "kind": "fruit"],
  ]

  @Test func anEditReportsWillChangesFinished() async throws {
    let foods = SimpleSource(Self.foods, name: "foods")
    let kinds = SectionedSource(
      foods, key: try path("kind"), sort: [SortDescriptor(try path("kind"))], name: "kinds")
    let unfetched = SectionedSource(foods, name: "unfetched")
    try await kinds.fetchData()
    let listener = Listener()
    for source in [foods, kinds, unfetched] as [any DataSource] { source.delegate = listener }
    let edited = try await kinds.edit(.remove(IndexPath(section: 1, row: 0)))
    #expect(edited.sources.count == 1 && edited.sources[0] === foods)
    #expect(edited.counts == EditCounts(removed: 1))
    #expect(
      listener.events == [
        "foods will", "foods changes", "foods finished", "kinds will", "kinds changes",
        "kinds finished",
      ])
    #expect(try kinds.sizes == [2])
    #expect(
      try await kinds.changes() == [
        .deleteSection(1), .delete(IndexPath(section: 1, row: 0)),
      ])
    #expect(try await kinds.brokenInvariants() == [])
  }

  enum EditKind: CaseIterable {
    case insert, update, remove

    var edit: Edit {
      let first = IndexPath(section: 0, row: 0)
      return switch self {
      case .insert: .insert(["name": "Zest"])
      case .update: .update(first, Record([("name", "Tart")]))
      case .remove: .remove(first)
      }
    }
  }

  /// An edit reports no partials, because it does not wait for any child.
  @Test(arguments: EditKind.allCases, [false, true])
  func anEditBelowAMultiReportsNoPartials(kind: EditKind, preservesSections: Bool) async throws {
    let foods = SimpleSource(Self.foods, name: "foods")
    let drinks = SimpleSource([["name": "Tea"], ["name": "Milk"]], name: "drinks")
    let inner = MultiSource(
      [foods, drinks], preservesSections: preservesSections, name: "inner")
    let outer = MultiSource(
      [SimpleSource([]), inner], preservesSections: preservesSections, name: "outer")
    let chained = ChainedSource([outer, drinks], name: "chained")
    let names = SectionedSource(
      chained, key: try path("name"), sort: [SortDescriptor(try path("name"))], name: "names")
    try await names.fetchData()
    let wrappers: [any DataSource] = [inner, outer, chained, names]
    let listeners = wrappers.map { _ in Listener() }
    for (source, listener) in zip(wrappers, listeners) { source.delegate = listener }
    try await foods.edit(kind.edit)
    for (source, listener) in zip(wrappers, listeners) {
      #expect(listener.events == ["will", "changes", "finished"].map { "\(source.name) \($0)" })
      #expect(try await source.brokenInvariants() == [])
    }
    #expect(inner.numberOfObjects == foods.numberOfObjects + 2)
  }

  @Test func aWrapperFollowsEditsUntilTheSourceIsEmpty() async throws {
    let foods = SimpleSource([["n": 1]], name: "foods")
    let sorted = SectionedSource(foods, key: try path("n"))
    try await sorted.fetchData()
    try await foods.edit(.update(IndexPath(section: 0, row: 0), Record([("m", 2)])))
    try await foods.edit(.insert(["m": 3]))
    #expect(try sorted.sizes == [1, 1])
    try await foods.edit(.remove(IndexPath(section: 0, row: 0)))
    try await foods.edit(.remove(IndexPath(section: 0, row: 0)))
    #expect(sorted.numberOfObjects == 0)
    #expect(foods.numberOfSections == 1)
  }

  @Test func anEditOfOutdatedContentFails() async throws {
    let foods = SimpleSource(Self.foods)
    let kinds = SectionedSource(foods, key: try path("kind"))
    let other = GatedSource()
    try await other.fetchData()
    try await kinds.fetchData()
    kinds.key = try path("nope")
    await #expect(throws: SourceError.self) { try await kinds.fetchData() }
    // The key waits for the next fetch: until then, the sections follow with the old one.
    try await foods.edit(.remove(IndexPath(section: 0, row: 0)))
    #expect(kinds.numberOfObjects == 2)
    #expect(try kinds.sizes == [2])
    await #expect(throws: SourceError.self) { _ = try await other.edit(.insert(1)) }
    let results = FetchedResultsSource(
      foods, request: try FetchRequest(sort: [SortDescriptor(try path("name"))]))
    try await results.fetchData()
    try await foods.edit(.remove(IndexPath(section: 0, row: 0)))
    #expect(results.numberOfObjects == 2)
    await #expect(throws: SourceError.self) {
      _ = try await results.edit(.remove(IndexPath(section: 0, row: 0)))
    }
    #expect(foods.numberOfObjects == 1)
  }

  @Test func changesOfAFileBetweenFetchesAreReported() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("id,name\n1,Ann\n2,Bo\n3,Abe\n", to: "people.csv")
    let people = try await SimpleSource.load(file, formats: .core)
    people.id = try path("id")
    let letters = SectionedSource(
      people, key: try path("name.firstCharacter"), sort: [SortDescriptor(try path("name"))])
    try await letters.fetchData()
    #expect(try await letters.changes() == [])
    try folder.write("id,name,age\n1,Ann,3\n3,Cy,4\n4,Ada,5\n", to: "people.csv")
    try await letters.fetchData()
    #expect(
      try await letters.changes() == [
        .deleteSection(1), .delete(IndexPath(section: 1, row: 0)), .insertSection(1),
        .insert(IndexPath(section: 0, row: 0)),
        .move(
          from: IndexPath(section: 0, row: 0), to: IndexPath(section: 1, row: 0), isChanged: true),
        .update(from: IndexPath(section: 0, row: 1), to: IndexPath(section: 0, row: 1)),
      ])
    #expect(try await letters.brokenInvariants() == [])
  }

  @Test func aFetchThatWouldLoseEditsFails() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("id\n1\n2\n", to: "people.csv")
    let people = try await SimpleSource.load(file, formats: .core)
    let all = SectionedSource(people)
    try await all.fetchData()
    try await all.edit(.remove(IndexPath(section: 0, row: 0)))
    #expect(people.hasEdits)
    // The file is unchanged: old and new wrappers show the edits.
    try await all.fetchData()
    let other = SectionedSource(people)
    try await other.fetchData()
    #expect(all.numberOfObjects == 1 && other.numberOfObjects == 1 && people.hasEdits)
    _ = try folder.write("id\n1\n2\n3\n", to: "people.csv")
    await #expect(throws: SourceError.self) { try await all.fetchData() }
    #expect(all.numberOfObjects == 1)
    try await all.fetchData(FetchOptions(edits: .keep))
    try await all.fetchData()
    #expect(all.numberOfObjects == 1 && people.hasEdits)
    try await all.fetchData(FetchOptions(edits: .discard))
    #expect(all.numberOfObjects == 3 && !people.hasEdits)
    try await people.fetchData()
  }

  /// Random edits through a wrapper of a wrapper keep the invariants of all three sources.
  @Test func randomEditsKeepTheInvariants() async throws {
    for seed in 1...UInt64(40) {
      var state = seed
      func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
      }
      func object() -> Value { ["k": .integer(below(4)), "v": .integer(below(3))] }
      let numbers = SimpleSource((0..<6).map { _ in object() })
      let sections = SectionedSource(
        numbers, key: try path("k"), sort: [SortDescriptor(try path("k"))])
      let all = SectionedSource(
        sections, sort: [SortDescriptor(try path("v"), direction: .descending)])
      if seed % 2 == 0 { numbers.id = try path("k") }
      try await all.fetchData()
      for _ in 0..<8 {
        let count = all.numberOfObjects
        switch below(3) {
        case 0 where count > 0:
          try await all.edit(.remove(IndexPath(section: 0, row: below(count))))
        case 1 where count > 0:
          try await all.edit(
            .update(
              IndexPath(section: 0, row: below(count)), Record([("v", .integer(below(9)))])))
        default: try await all.edit(.insert(object(), at: below(count + 1)))
        }
        for source in [numbers, sections, all] as [any DataSource] {
          #expect(try await source.brokenInvariants() == [], "seed \(seed)")
        }
      }
    }
  }

  /// Many updates are made in batches; an object that is updated twice may stand at the end of one.
  @Test func manyUpdatesAreMadeInOrder() async throws {
    let count = 25_000
    let numbers = SimpleSource((0..<count).map { ["n": .integer($0)] })
    let rows = (0..<count).flatMap { $0 % 3 == 0 ? [$0, $0] : [$0] }
    let key = try path("n")
    let updates = rows.enumerated().map { place, row in
      ObjectUpdate(IndexPath(section: 0, row: row), [KeyValue(key, .integer(-place))])
    }
    let group = try await numbers.edit(.update(updates))
    #expect(group.counts == EditCounts(updated: count))
    var expected = [Int](repeating: 0, count: count)
    for (place, row) in rows.enumerated() { expected[row] = -place }
    #expect(
      try await numbers.content.objects(in: 0)
        == expected.map { value -> Value in ["n": .integer(value)] })
  }

  @Test(arguments: EditKind.allCases)
  func aCanceledEditChangesNothing(kind: EditKind) async throws {
    let foods = SimpleSource(Self.foods, name: "foods")
    let flag = Cancellation()
    flag.cancel()
    await #expect(throws: SourceError.self) {
      _ = try await foods.edit(kind.edit, cancellation: flag)
    }
    #expect(try await foods.content.objects(in: 0) == Self.foods)
  }
}
