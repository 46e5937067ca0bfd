import DataSources
import DataTables
import Foundation
import Glibc
import Testing

struct FileLoadTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func expectFailure(
    of path: String, _ isExpected: (TableError) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    do {
      _ = try await SimpleSource.load(path, formats: .core)
      Issue.record("loaded", sourceLocation: sourceLocation)
    } catch SourceError.data(let error) {
      #expect(isExpected(error), "\(error)", sourceLocation: sourceLocation)
    } catch {
      Issue.record("\(error)", sourceLocation: sourceLocation)
    }
  }

  @Test func aLoadedFileHasContentBeforeAFetch() async throws {
    let path = try folder.write("name,kind\nPie,sweet\nApple,fruit\n", to: "foods.csv")
    let foods = try await SimpleSource.load(path, formats: .core, name: "foods")
    #expect(try foods.sizes == [2])
    #expect(try await foods.sectionTitles() == ["foods"])
    #expect(try foods.content.keys == ["name", "kind"])
    #expect(foods.report?.rows == 2)
    #expect(foods.summary == "simple, \(path)")
    #expect(
      try await foods.object(at: IndexPath(section: 0, row: 1))
        == .record(Record([("name", "Apple"), ("kind", "fruit")])))
  }

  @Test func aMissingFileIsReportedWithItsPath() async {
    let path = folder.path(of: "missing.csv")
    await expectFailure(of: path) {
      $0 == .io("cannot open `\(path)`: No such file or directory")
    }
  }

  @Test func loadingAFolderFails() async {
    let path = folder.path
    await expectFailure(of: path) { $0 == .io("`\(path)` is a folder") }
  }

  @Test func anUnreadableFileIsReported() async throws {
    let path = try folder.write("a\n1\n", to: "secret.csv")
    chmod(path, 0)
    // The superuser can read every file.
    guard geteuid() != 0 else { return }
    await expectFailure(of: path) { $0 == .io("cannot open `\(path)`: Permission denied") }
  }

  @Test func loadingAnEmptyFileFails() async throws {
    let path = try folder.write("", to: "empty.csv")
    await expectFailure(of: path) {
      if case .format(let message, _) = $0 { message.contains(path) } else { false }
    }
  }

  @Test func aHeaderAloneHasNoObjects() async throws {
    let source = try await SimpleSource.load(
      folder.write("a,b\n", to: "header.csv"), formats: .core)
    #expect(try source.sizes == [0])
    let sections = SectionedSource(source, key: try path("a"))
    try await sections.fetchData()
    #expect(sections.numberOfSections == 0)
  }

  @Test func aFetchReadsAChangedFileAgain() async throws {
    let path = try folder.write("a\n1\n", to: "x.csv")
    let source = try await SimpleSource.load(path, formats: .core)
    let sections = SectionedSource(source, key: try DataSourcesTests.path("a"))
    try await sections.fetchData()
    let old = try source.content
    try folder.write("a\n5\n6\n7\n", to: "x.csv")
    #expect(try source.sizes == [1])
    try await sections.fetchData()
    #expect(try sections.sizes == [1, 1, 1])
    #expect(source.report?.rows == 3)
    // The snapshot of a file that was read into memory does not change.
    #expect(try await old.objects(in: 0) == records("a", [1]))
  }

  private func isAGreater(than number: Value) throws -> DataTables.Predicate {
    .comparison(
      try DataTables.Predicate.Comparison(
        .key(ObjectKeyPath(key: "a")), ComparisonOperator(.greater), .value(number)))
  }

  @Test func afterAFailedRefetchTheNextFetchReadsTheFile() async throws {
    let path = try folder.write("a,n\n1,x\n5,y\n", to: "f.csv")
    let source = try await SimpleSource.load(path, formats: .core)
    source.predicate = try isAGreater(than: 1)
    try await source.fetchData()
    _ = try folder.write("b,m\n1,x\n2,y\n3,longer\n", to: "f.csv")
    await #expect(throws: SourceError.self) { try await source.fetchData() }
    #expect(source.report?.rows == 2)
    #expect(source.numberOfObjects == 1)
    source.predicate = nil
    try await source.fetchData()
    #expect(source.report?.rows == 3)
    #expect(try source.content.keys == ["b", "m"])
    #expect(source.numberOfObjects == 3)
  }

  @Test func newOptionsRemainPendingUntilAFetchSucceeds() async throws {
    let path = try folder.write("a;b\n1;2\n", to: "f.csv")
    let source = try await SimpleSource.load(path, formats: .core)
    source.predicate = try isAGreater(than: 0)
    try await source.fetchData()
    var options = ReadOptions()
    options.delimiter = UInt8(ascii: ",")
    try source.read(with: options)
    await #expect(throws: SourceError.self) { try await source.fetchData() }
    source.predicate = nil
    try await source.fetchData()
    #expect(try source.content.keys == ["a;b"])
  }

  @Test func aFetchOfAnUnchangedFileReadsNothing() async throws {
    let source = try await SimpleSource.load(folder.write("a\n1\n", to: "x.csv"), formats: .core)
    let table = try #require(source.content.store.local?.table)
    try await source.fetchData()
    #expect(try source.content.store.local?.table === table)
  }

  @Test func aDeletedFileFailsTheFetchAndKeepsTheContent() async throws {
    let path = try folder.write("a\n1\n", to: "x.csv")
    let source = try await SimpleSource.load(path, formats: .core)
    let sections = SectionedSource(source)
    try await sections.fetchData()
    try folder.remove("x.csv")
    let error = SourceError.data(.io("cannot open `\(path)`: No such file or directory"))
    await #expect(throws: error) { try await sections.fetchData() }
    #expect(source.error == error && sections.error == error)
    #expect(try await sections.allObjects() == records("a", [1]))
  }

  @Test func aPipeIsReadToItsEndAndNotReadAgain() async throws {
    let path = folder.path(of: "pipe.csv")
    #expect(mkfifo(path, 0o600) == 0)
    let writer = Thread {
      guard let file = fopen(path, "w") else { return }
      fputs("a\n", file)
      fflush(file)
      usleep(20_000)
      fputs("1\n2\n", file)
      fclose(file)
    }
    writer.start()
    let source = try await SimpleSource.load(path, formats: .core)
    #expect(try await source.allObjects() == records("a", [1, 2]))
    try await source.fetchData()
    #expect(source.numberOfObjects == 2)
  }

  @Test func waitingForAPipeCanBeCanceled() async {
    let path = folder.path(of: "pipe.csv")
    #expect(mkfifo(path, 0o600) == 0)
    let load = Task { _ = try await SimpleSource.load(path, formats: .core) }
    load.cancel()
    await #expect(throws: SourceError.data(.cancelled)) { try await load.value }
  }

  @Test func aFlagCancelsALoad() async throws {
    let path = try folder.write("a\n1\n", to: "x.csv")
    let flag = Cancellation()
    flag.cancel()
    await #expect(throws: SourceError.data(.cancelled)) {
      try await SimpleSource.load(path, formats: .core, cancellation: flag)
    }
  }

  @Test func aSystemFileWithSizeZeroIsRead() async throws {
    var options = ReadOptions()
    options.hasHeader = false
    options.format = "csv"
    options.delimiter = UInt8(ascii: ";")
    let source = try await SimpleSource.load("/proc/self/statm", options: options, formats: .core)
    #expect(source.numberOfObjects == 1)
  }
}
