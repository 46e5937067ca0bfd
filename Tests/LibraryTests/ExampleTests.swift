import DataSources
import DataTables
import Foundation
import Testing

/// The example in the documentation of ``DataSource`` compiles and runs outside of the package.
@MainActor struct ExampleTests {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()

  @Test func theDocumentationContainsTheCompiledExample() throws {
    let documented = Self.tests.appending(path: "../../Sources/DataSources/DataSource.swift")
    let lines = try String(contentsOf: documented, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex(of: "/// ```swift"))
    let block = lines[(start + 1)...].prefix { $0 != "/// ```" }
    let text = block.map { $0.dropFirst(4) + "\n" }.joined()
    let compiled = try String(
      contentsOf: Self.tests.appending(path: "PeopleController.swift"), encoding: .utf8)
    #expect(text == compiled)
  }

  @Test func peopleAreShownByCity() async throws {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "people-\(UUID().uuidString).csv")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("name,city,age\nAda,Rome,36\nBo,Oslo,20\nCy,Rome,40\n".utf8).write(to: file)
    let controller = try await PeopleController(path: file.path)
    try await controller.show()
    #expect(try await controller.people.sectionTitles() == ["Oslo", "Rome"])
    let oldest = try await controller.people.object(at: IndexPath(section: 1, row: 0))
    #expect(oldest == ["name": "Cy", "city": "Rome", "age": 40])
  }

  @Test func anAppCanDefineAKindOfSource() async throws {
    let evens = EvenNumbers()
    let all = MultiSource([evens, SimpleSource([7], name: "odd")])
    let sorted = SectionedSource(
      all, sort: [SortDescriptor(ObjectKeyPath(key: "self"), direction: .descending)])
    sorted.sort = []
    try await sorted.fetchData()
    #expect(try await sorted.allObjects() == [2, 4, 7])
    #expect(try await all.sectionTitles() == ["even", "odd"])
    let path = try #require(try await all.indexPath(for: 7))
    let explanation = try await all.explanation(of: path, in: try all.content)
    #expect(explanation.map(\.subject) == ["section 1"])
    #expect(all.wraps(evens) && evens.state.wrappers.count == 1)
  }

  @Test func aCycleIsRejectedAndTheOldSourceIsKept() async throws {
    let numbers = SimpleSource([1, 2])
    let inner = SectionedSource(numbers)
    let outer = SectionedSource(inner)
    #expect(throws: SourceError.self) { try inner.wrap(outer) }
    #expect(throws: SourceError.self) { try inner.wrap(inner) }
    try await outer.fetchData()
    #expect(outer.numberOfObjects == 2)
    try inner.wrap(SimpleSource([3]))
    try await inner.fetchData()
    #expect(try await outer.allObjects() == [3])
    #expect(numbers.state.wrappers.isEmpty)
  }
}

/// A source kind that an app defines.
private final class EvenNumbers: DataSource {
  static let kind = "even"
  let state = SourceState(name: "even")
  var children: [any DataSource] { [] }
  var summary: String { "even numbers" }

  func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    Snapshot(LocalStore(table: ValueTable([2, 4]), title: "even"))
  }
}
