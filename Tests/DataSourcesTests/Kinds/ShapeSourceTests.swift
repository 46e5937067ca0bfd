import DataSources
import DataTables
import TestSupport
import Testing

/// The kinds that change the shape of another source: unroll, columns, distinct, top, limit.
struct ShapeSourceTests {
  private func order(_ id: Int, _ price: Value) -> Value {
    .record(Record([("id", .integer(id)), ("price", price)]))
  }

  private func people() -> SimpleSource {
    SimpleSource([
      .record(Record([("name", "Ann"), ("id", 1), ("orders", [order(7, 5), order(8, 2)])])),
      .record(Record([("name", "Bo"), ("id", 2), ("orders", [])])),
      .record(Record([("name", "Cy"), ("id", 3), ("orders", [order(9, 1)])])),
      .record(Record([("name", "Al"), ("id", 4), ("orders", [order(10, 1)])])),
    ])
  }

  private func letters(_ source: any DataSource) throws -> SectionedSource {
    SectionedSource(
      source, key: try path("name.firstCharacter"), sort: [SortDescriptor(try path("name"))],
      indexTitles: .list(["α", "β", "γ"]))
  }

  @Test func theSectionsBelowAndTheirIndexTitlesAreKept() async throws {
    let unrolled = UnrolledSource(try letters(people()), by: try path("orders"))
    #expect(unrolled.numberOfSections == 0)
    try await unrolled.fetchData()
    #expect(try await unrolled.sectionTitles() == ["A", "C"])
    #expect(try await unrolled.sectionIndexTitles() == ["α", "γ"])
    #expect(try unrolled.sizes == [3, 1])
    let columns = ColumnsSource(
      unrolled, [ProjectedTable.Column(key: "n", path: try path("name.length"))])
    try await columns.fetchData()
    #expect(try await columns.sectionIndexTitles() == ["α", "γ"])
    #expect(try await columns.allObjects() == records("n", [2, 3, 3, 2]))
    let distinct = DistinctSource(columns)
    try await distinct.fetchData()
    #expect(try distinct.sizes == [2])
    let limited = LimitedSource(unrolled, limit: 2, offset: 2)
    try await limited.fetchData()
    #expect(try await limited.sectionTitles() == ["A", "C"])
    #expect(try limited.sizes == [1, 1])
    limited.offset = 9
    try await limited.fetchData()
    #expect(limited.numberOfSections == 0)
  }

  @Test func topHasOneSectionAndKeepsTheOrderOfEqualObjects() async throws {
    let unrolled = UnrolledSource(people(), by: try path("orders"))
    let top = TopSource(
      unrolled, limit: 2, by: [SortDescriptor(try path("price"))])
    try await top.fetchData()
    #expect(try top.sizes == [2])
    #expect(try await top.allObjects().map { try path("name").evaluate(on: $0) } == ["Cy", "Al"])
    #expect(
      try await top.indexPath(for: top.object(at: IndexPath(section: 0, row: 1)))
        == IndexPath(section: 0, row: 1))
  }

  @Test func aFailedFetchKeepsTheOldContent() async throws {
    let source = people()
    let unrolled = UnrolledSource(source, by: try path("orders"))
    let columns = ColumnsSource(
      source, [ProjectedTable.Column(key: "name", path: try path("name"))])
    let distinct = DistinctSource(source)
    let top = TopSource(source, limit: 2, by: [SortDescriptor(try path("name"))])
    let shapes: [any DataSource] = [unrolled, columns, distinct, top]
    for shape in shapes { try await shape.fetchData() }
    let counts = shapes.map(\.numberOfObjects)
    unrolled.path = try path("ordrs")
    columns.columns = [ProjectedTable.Column(key: "name", path: try path("nme"))]
    distinct.keys = [try path("nme")]
    top.sort = [SortDescriptor(try path("nme"))]
    for shape in shapes {
      await #expect(throws: SourceError.self) { try await shape.fetchData() }
    }
    #expect(shapes.map(\.numberOfObjects) == counts)
    let flag = Cancellation()
    flag.cancel()
    for shape in shapes {
      await #expect(throws: SourceError.data(.cancelled)) {
        try await shape.fetchData(cancellation: flag)
      }
    }
  }

  @Test func anEditOfAnElementChangesTheArrayBelow() async throws {
    let source = people()
    let unrolled = UnrolledSource(try letters(source), by: try path("orders"))
    try await unrolled.fetchData()
    // Al's only order, then Ann's two.
    let path = IndexPath(section: 0, row: 2)
    try await unrolled.edit(.update(path, Record([("orders_id", 80), ("name", "Anna")])))
    #expect(
      try await source.object(at: IndexPath(section: 0, row: 0)).json
        == #"{"name":"Anna","id":1,"orders":[{"id":7,"price":5},{"id":80,"price":2}]}"#)
    #expect(
      try await unrolled.object(at: path).json
        == #"{"name":"Anna","id":1,"orders_id":80,"price":2}"#)
    try await unrolled.edit(.remove(path))
    #expect(try unrolled.sizes == [2, 1])
    await #expect(throws: SourceError.self) { _ = try await unrolled.edit(.insert(1)) }
    await #expect(throws: SourceError.self) {
      _ = try await unrolled.edit(.update(IndexPath(section: 0, row: 0), Record([("nme", 1)])))
    }
  }

  @Test func anEditOfAColumnChangesTheValueAtItsPath() async throws {
    let source = SimpleSource([
      .record(
        Record([("name", "Ann"), ("address", .record(Record([("city", "Rom"), ("zip", 1)])))])),
      .record(Record([("name", "Bo")])),
    ])
    let columns = ColumnsSource(
      source,
      [
        ProjectedTable.Column(key: "who", path: try path("name")),
        ProjectedTable.Column(key: "city", path: try path("address.city")),
        ProjectedTable.Column(key: "length", path: try path("name.length")),
      ])
    try await columns.fetchData()
    for row in 0...1 {
      try await columns.edit(
        .update(IndexPath(section: 0, row: row), Record([("city", "Ulm")])))
    }
    try await columns.edit(.insert(.record(Record([("city", "Kiel"), ("who", "Cy")]))))
    #expect(
      try await source.allObjects().map(\.json) == [
        #"{"name":"Ann","address":{"city":"Ulm","zip":1}}"#,
        #"{"name":"Bo","address":{"city":"Ulm"}}"#, #"{"address":{"city":"Kiel"},"name":"Cy"}"#,
      ])
    for values in [Record([("length", 1)]), Record([("name", "x")])] {
      await #expect(throws: SourceError.self) {
        _ = try await columns.edit(.update(IndexPath(section: 0, row: 0), values))
      }
    }
  }

  /// Random shapes over random shapes: edits reach the objects, and the invariants hold.
  @Test(arguments: UInt64(0)..<60)
  func shapesOverShapesKeepTheInvariants(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let source = people()
    var chain: [any DataSource] = [source]
    for _ in 0..<Int.random(in: 2...5, using: &random) {
      chain.append(try shape(over: chain[chain.count - 1], &random))
    }
    let last = chain[chain.count - 1]
    guard (try? await last.fetchData()) != nil else { return }
    for step in 0..<6 {
      let rows = Int.random(in: 0..<max(1, source.numberOfObjects), using: &random)
      let old = try await source.object(at: IndexPath(section: 0, row: rows))
      switch step % 3 {
      case 0: try await source.edit(.insert(old))
      case 1:
        try await source.edit(
          .update(
            IndexPath(section: 0, row: rows),
            Record([("name", "Zo"), ("orders", [order(step, 3), order(step, 3)])])))
      default: if rows > 0 { try await source.edit(.remove(IndexPath(section: 0, row: rows))) }
      }
      for source in chain {
        #expect(
          try await source.brokenInvariants() == [], "seed \(seed), \(chain.map(\.summary))")
      }
      // The origin of each object is the object from which it was made.
      // Fetched results that are not watched show the objects from before the edit.
      guard let content = last.state.snapshot, last.error == nil,
        !chain.contains(where: { $0 is FetchedResultsSource })
      else { continue }
      for section in 0..<content.numberOfSections {
        for row in 0..<(try content.numberOfObjects(in: section)) {
          let path = IndexPath(section: section, row: row)
          #expect(try await last.origin(of: path, in: content) != nil, "seed \(seed)")
        }
      }
    }
  }

  private func shape(
    over source: any DataSource, _ random: inout SplitMix64
  ) throws -> any DataSource {
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      return UnrolledSource(
        source, by: try path("orders"), keepsEmpty: Bool.random(using: &random))
    case 1:
      return ColumnsSource(
        source,
        [
          ProjectedTable.Column(key: "name", path: try path("name")),
          ProjectedTable.Column(key: "orders", path: try path("orders")),
        ])
    case 2: return DistinctSource(source, by: Bool.random(using: &random) ? [try path("name")] : [])
    case 3:
      return TopSource(
        source, limit: Int.random(in: 1...5, using: &random),
        by: [SortDescriptor(try path("name"), direction: .descending)])
    case 4:
      return LimitedSource(
        source, limit: Int.random(in: 1...5, using: &random),
        offset: Int.random(in: 0...2, using: &random))
    case 5: return try letters(source)
    case 6: return MultiSource([source, source], preservesSections: Bool.random(using: &random))
    default:
      return FetchedResultsSource(
        source, request: try FetchRequest(sort: [SortDescriptor(try path("name"))]))
    }
  }
}
