import DataSources
import DataTables
import Foundation
import Testing

/// Several files as one source, or as the sections of a multi source.
final class SeveralFilesTests {
  private let root: URL

  init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: root.appending(path: name))
  }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: root.appending(path: name))
  }

  private func load(_ pattern: String = "*.csv") async throws -> SimpleSource {
    try await SimpleSource.load(
      all: root.path + "/" + pattern, relativeTo: root.path, formats: .core)
  }

  private func rows(_ source: any DataSource) async throws -> [String] {
    try await source.allObjects().map(\.json)
  }

  @Test func aNameThatIsNotUTF8IsAnError() async throws {
    try write("a\n1\n", to: "1.csv")
    let name = Array((root.path + "/x").utf8) + [0xE9] + Array(".csv".utf8) + [0]
    let file = name.withUnsafeBufferPointer {
      $0.withMemoryRebound(to: CChar.self) { open($0.baseAddress!, O_CREAT | O_WRONLY, 0o600) }
    }
    try #require(file >= 0)
    close(file)
    let error = await #expect(throws: SourceError.self) { _ = try await self.load() }
    #expect(error?.message.contains("is not UTF-8; rename the file") == true)
  }

  @Test func aFetchReadsChangedFilesAndSeesNewAndDeletedOnes() async throws {
    try write("a\n1\n", to: "1.csv")
    try write("a\n2\n", to: "2.csv")
    try write("", to: "empty.csv")
    let source = try await load()
    #expect(source.report?.notes == ["skipped, because it is empty: empty.csv"])
    #expect(try await rows(source) == [#"{"a":1,"file":"1.csv"}"#, #"{"a":2,"file":"2.csv"}"#])
    let table = source.table
    try await source.fetchData()
    #expect(source.table === table, "nothing has changed")
    try write("a,b\n3,x\n", to: "1.csv")
    try write("a\n4\n", to: "3.csv")
    try remove("2.csv")
    try await source.fetchData()
    #expect(
      try await rows(source) == [
        #"{"a":3,"b":"x","file":"1.csv"}"#, #"{"a":4,"file":"3.csv"}"#,
      ])
    #expect(try await source.brokenInvariants() == [])
    try remove("1.csv")
    try remove("3.csv")
    await #expect(throws: SourceError.self) { try await source.fetchData() }
    #expect(source.numberOfObjects == 2)
  }

  @Test func aColumnThatIsAStringInOneFileIsAStringInAll() async throws {
    try write("zip,n\n12345,1\n", to: "1.csv")
    try write("zip,n\n01234,2.5\n", to: "2.csv")
    try write("zip,n\n,\n", to: "3.csv")
    let source = try await load()
    #expect(
      try await rows(source) == [
        #"{"zip":"12345","n":1,"file":"1.csv"}"#, #"{"zip":"01234","n":2.5,"file":"2.csv"}"#,
        #"{"zip":null,"n":null,"file":"3.csv"}"#,
      ])
    #expect(source.report?.columns.map(\.type) == [.string, .real, .string])
    // Without the string, the column is a number again.
    try remove("2.csv")
    try await source.fetchData()
    #expect(try await rows(source).first == #"{"zip":12345,"n":1,"file":"1.csv"}"#)
    #expect(source.report?.columns.map(\.type) == [.integer, .integer, .string])
  }

  @Test func aFileThatCannotBeReadIsNamed() async throws {
    try write("a\n1\n", to: "1.csv")
    try Data([0x61, 0x0A, 0xFF, 0xFE, 0x0A]).write(to: root.appending(path: "2.csv"))
    let error = await #expect(throws: SourceError.self) { _ = try await self.load() }
    #expect(error?.message.contains("`2.csv`") == true, "\(error?.message ?? "")")
  }

  @Test func columnsEqualTheValuesOfTheObjects() async throws {
    try write("a,b\n1,x\n2,y\n", to: "1.csv")
    try write("b,c\nz,1.5\n", to: "2.csv")
    try write("[\"s\", {\"a\": [1]}]", to: "3.json")
    let pattern = "*"
    for pattern in [pattern, "*.csv"] {
      let table = try await load(pattern).table
      let objects = try table.objects(at: Array(0..<table.count))
      for key in ["a", "b", "c", "file", "file.length", "b.length"] {
        let path = try path(key)
        let column = try table.column(path, cancellation: Cancellation())
        guard case .coded(let codes, let values) = column else { continue }
        #expect((0..<table.count).map { values[codes[$0]] } == objects.map(path.evaluate))
      }
    }
  }

  @Test func theSectionsOfAMultiSourceFollowTheFiles() async throws {
    try write("a\n1\n", to: "1.csv")
    try write("a\n2\n", to: "2.csv")
    let source = try await MultiSource.load(all: root.path, relativeTo: root.path, formats: .core)
    try await source.fetchData()
    #expect(try await source.sectionTitles() == ["1.csv", "2.csv"])
    try write("a\n0\n", to: "0.csv")
    try write("a\n3\n4\n", to: "2.csv")
    try remove("1.csv")
    let sorted = SectionedSource(source, sort: [SortDescriptor(try path("a"))])
    try await sorted.fetchData()
    #expect(try await source.sectionTitles() == ["0.csv", "2.csv"])
    #expect(try source.sizes == [1, 2])
    #expect(sorted.numberOfObjects == 3)
    #expect(try await sorted.brokenInvariants() == [])
    try await source.edit(
      .update(IndexPath(section: 0, row: 0), Record([("a", 9)])))
    #expect(try await source.object(at: IndexPath(section: 0, row: 0)).json == #"{"a":9}"#)
    for file in ["0.csv", "2.csv"] { try remove(file) }
    await #expect(throws: SourceError.self) { try await source.fetchData() }
    #expect(try source.sizes == [1, 2])
  }

  @Test func aLoadOfManyFilesCanBeCanceled() async throws {
    for index in 0..<50 { try write("a\n\(index)\n", to: "\(index).csv") }
    let flag = Cancellation()
    flag.cancel()
    await #expect(throws: SourceError.data(.cancelled)) {
      _ = try await SimpleSource.load(all: self.root.path, formats: .core, cancellation: flag)
    }
    let source = try await load("**")
    #expect(source.numberOfObjects == 50)
    #expect(
      try await source.object(at: IndexPath(section: 0, row: 1)).json == #"{"a":1,"file":"1.csv"}"#)
  }

  /// Files that are deleted, emptied and extended while they are read.
  @Test func filesMayVanishAndChangeDuringTheLoad() async throws {
    for index in 0..<200 { try write("a\n\(index)\n", to: "\(index).csv") }
    let root = root
    let changes = Task.detached {
      for index in 0..<200 where !Task.isCancelled {
        let file = root.appending(path: "\((index * 7) % 200).csv")
        if index % 3 == 0 {
          try? FileManager.default.removeItem(at: file)
        } else {
          try? Data("a\n1\n2\n".utf8).write(to: file)
        }
      }
    }
    for _ in 0..<5 {
      do {
        let source = try await load()
        for object in try await source.allObjects() {
          guard case .record(let record) = object else { continue }
          #expect(record.keys == ["a", "file"])
        }
      } catch let error as SourceError {
        // A file that changes again and again, or that is being written.
        #expect(
          error.message.contains("changed") || error.message.contains("is empty"),
          "\(error.message)")
      }
    }
    changes.cancel()
    await changes.value
    let source = try await load()
    #expect(try await source.brokenInvariants() == [])
  }
}
