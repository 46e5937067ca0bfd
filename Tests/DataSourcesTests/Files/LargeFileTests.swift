import DataSources
import DataTables
import Foundation
import Glibc
import Testing

/// Loads a file that is too large to be read into memory, and changes it after the load.
struct LargeFileTests {
  private let folder: TemporaryFolder
  private let path: String
  private static let rows = 400_000

  init() throws {
    folder = try TemporaryFolder()
    var text = "id,name\n"
    text.reserveCapacity(20 << 20)
    let filling = String(repeating: "x", count: 40)
    for row in 0..<Self.rows { text += "\(100_000 + row),\(row % 7)\(filling)\n" }
    path = try folder.write(text, to: "large.csv")
  }

  private func rewrite(at offset: Int, _ text: String) {
    guard let file = fopen(path, "r+") else { return }
    fseek(file, offset, SEEK_SET)
    fputs(text, file)
    fclose(file)
  }

  private func id(_ source: any DataSource, _ row: Int) async throws -> Value {
    let object = try await source.object(at: IndexPath(section: 0, row: row))
    return try DataSourcesTests.path("id").evaluate(on: object)
  }

  private func expectChanged(_ body: () async throws -> Void) async {
    do {
      try await body()
      Issue.record("no error was thrown")
    } catch SourceError.data(.changed(let message)) {
      #expect(message.contains("large.csv"))
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func aWatchedFileIsReadableWhileLinesAreAppended() async throws {
    let source = try await SimpleSource.load(path, formats: .core, progress: Progress())
    let monitors = SourceMonitors()
    try monitors.observe([(source, nil)], clock: AdjustableClock(), cancellation: Cancellation())
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    rewrite(at: size, "900000,appended\n")
    #expect(try await id(source, 17) == 100_017)
    #expect(try await monitors.readChanges(cancellation: Cancellation()).count == 1)
    #expect(try await id(source, Self.rows) == 900_000)
    #expect(try await source.changes() == [.insert(IndexPath(section: 0, row: Self.rows))])
    rewrite(at: 8, "X")
    #expect(try await monitors.readChanges(cancellation: Cancellation()).count == 1)
    #expect(source.error == nil)
  }

  @Test func objectsAreReadWhenTheyAreAccessed() async throws {
    let source = try await SimpleSource.load(path, formats: .core)
    #expect(source.numberOfObjects == Self.rows)
    #expect(try await id(source, 0) == 100_000)
    #expect(try await id(source, 399_999) == 499_999)
    let sections = SectionedSource(source, key: try DataSourcesTests.path("name.firstCharacter"))
    try await sections.fetchData()
    #expect(sections.numberOfSections == Self.rows)
    #expect(try sections.content.repeatedTitles.count == 7)
    let found = try await sections.content.indexPath(matching: Record([("id", 100_009)]))
    #expect(found == IndexPath(section: 9, row: 0))
  }

  @Test func readingReportsProgress() async throws {
    let progress = Progress()
    let source = try await SimpleSource.load(path, formats: .core, progress: progress)
    #expect(progress.current == nil)
    let table = try #require(source.content.store.local?.table)
    _ = try table.objects(at: Array(0..<Self.rows / 2))
    let report = try #require(progress.current)
    #expect(report.name == "large.csv")
    let total = try #require(report.total)
    #expect((45...55).contains(report.completed * 100 / total))
    progress.reset()
    _ = try table.column(try DataSourcesTests.path("id"), cancellation: Cancellation())
    #expect(progress.current == nil)
  }

  @Test func aRenamedOrDeletedFileIsStillRead() async throws {
    let source = try await SimpleSource.load(path, formats: .core)
    rename(path, path + ".old")
    #expect(try await id(source, 200_000) == 300_000)
    unlink(path + ".old")
    #expect(try await id(source, 300_000) == 400_000)
    await #expect(throws: SourceError.self) { try await source.fetchData() }
    #expect(try await id(source, 5) == 100_005)
  }

  @Test func aFileRewrittenInPlaceFailsReadsUntilItIsFetched() async throws {
    let source = try await SimpleSource.load(path, formats: .core)
    let column = try DataSourcesTests.path("id")
    let table = try #require(source.content.store.local?.table)
    _ = try table.column(column, cancellation: Cancellation())
    rewrite(at: 8, "200000")
    await expectChanged { _ = try await id(source, 0) }
    // Decoded columns remain readable.
    #expect(try table.column(column, cancellation: Cancellation()).count == Self.rows)
    try await source.fetchData()
    #expect(try await id(source, 0) == 200_000)
  }

  @Test func anAnticipatedColumnFailsAfterTheFileIsRewritten() async throws {
    let source = try await SimpleSource.load(
      path, anticipatedKeys: ["id"], formats: .core, progress: Progress())
    rewrite(at: 8, "200000")
    let table = try #require(source.content.store.local?.table)
    #expect(throws: TableError.self) {
      try table.decode([try DataSourcesTests.path("id")], cancellation: Cancellation())
    }
  }

  @Test(arguments: [false, true])
  func previouslyReadRowsFailAfterTheFileIsRewritten(reportsProgress: Bool) async throws {
    let source = try await SimpleSource.load(
      path, formats: .core, progress: reportsProgress ? Progress() : nil)
    #expect(try await id(source, 5) == 100_005)
    rewrite(at: 8, "200000")
    await expectChanged { _ = try await id(source, 5) }
    // This row was read together with the previous one.
    await expectChanged { _ = try await id(source, 6) }
  }

  @Test func aTruncatedFileFailsReadsUntilItIsFetched() async throws {
    let source = try await SimpleSource.load(path, formats: .core)
    truncate(path, 100)
    await expectChanged { _ = try await id(source, 399_999) }
    let sections = SectionedSource(source, key: try DataSourcesTests.path("name"))
    try await sections.fetchData()
    #expect(sections.numberOfObjects < 10)
  }
}
