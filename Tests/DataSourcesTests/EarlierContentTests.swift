import DataTables
import Testing

@testable import DataSources

/// The contents that a source keeps; `EditHistoryTests` shows them again in random histories.
@MainActor
@Suite struct EarlierContentTests {
  @Test func numbersContinueWhenContentsAreDropped() async throws {
    let source = SimpleSource([1])
    for _ in 0..<14 { try await source.fetchData() }
    #expect(source.keptContents.map(\.number) == Array(6...15))
    #expect(source.keptContents.allSatisfy { $0.cause == .fetch })
    #expect(source.contentNumber == 15)
  }

  /// - Parameter isRead: whether each content has a table of its own, as if a file was read again.
  @Test(arguments: [(false, 5), (true, 2)])
  func fewerContentsOfManyObjectsAreKept(isRead: Bool, kept: Int) {
    var history = ContentHistory()
    let table = CountedTable(count: 10_000_000)
    for _ in 0..<8 {
      let rows = isRead ? CountedTable(count: table.count) : table
      history.add(Snapshot(LocalStore(table: rows)), .fetch)
    }
    #expect(history.contents.map(\.number) == Array((9 - kept)...8))
  }

  @Test func aContentHasTheDateOfTheCurrentClock() async throws {
    let clock = AdjustableClock(date: 1_000)
    let source = AdjustableClock.$current.withValue(clock) { SimpleSource([1]) }
    clock.freeze(at: 2_000)
    try await AdjustableClock.$current.withValue(clock) { try await source.fetchData() }
    #expect(source.keptContents.map(\.date) == [1_000, 2_000])
  }

  @Test func noContentIsShownAgainDuringAFetch() async throws {
    let source = GatedSource()
    source.result = .success([1])
    try await source.fetchData()
    source.result = .success([2])
    try await source.fetchData()
    source.isGated = true
    let fetch = Task { try await source.fetchData() }
    while !source.isWaiting { await Task.yield() }
    await #expect(throws: SourceError.fetchUnderWay) { try await source.showContent(1) }
    source.open()
    try await fetch.value
    try await source.showContent(1)
    #expect(try await source.allObjects() == [1])
    #expect(source.showsEarlierContent)
  }

  @Test func aFailedFetchKeepsTheEarlierContent() async throws {
    let source = GatedSource()
    for objects: [Value] in [[1], [2]] {
      source.result = .success(objects)
      try await source.fetchData()
    }
    try await source.showContent(1)
    source.result = .failure(.io("gone"))
    await #expect(throws: SourceError.self) { try await source.fetchData() }
    #expect(source.contentNumber == 1)
    #expect(try await source.allObjects() == [1])
    await #expect(throws: SourceError.contentOutOfRange(3, kept: [1, 2])) {
      try await source.showContent(3)
    }
  }
}

/// A table of a number of rows, which are not read.
private final class CountedTable: Table {
  let count: Int
  var keys: [String] { [] }

  init(count: Int) { self.count = count }

  func objects(at rows: [Int]) throws -> [Value] { rows.map { .integer($0) } }

  func column(_ path: ObjectKeyPath, cancellation: Cancellation) throws -> KeyColumn {
    throw TableError.unknownKey("\(path)", known: [])
  }
}
