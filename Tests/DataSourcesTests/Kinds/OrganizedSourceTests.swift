import DataSources
import DataTables
import Testing

@Suite struct OrganizedSourceTests {
  private let invoices = SimpleSource([
    ["id": 3, "customer": "Zed"], ["id": 1, "customer": "acme"], ["id": 2, "customer": "Zed"],
    ["id": 4, "customer": "Acme"],
  ])
  private let customer = SortDescriptor(ObjectKeyPath(key: "customer"))

  private func organized() async throws -> OrganizedSource {
    let source = OrganizedSource(
      invoices, .alphabetically, sort: [customer],
      initial: [SortDescriptor(ObjectKeyPath(key: "id"))])
    try await source.fetchData()
    return source
  }

  @Test func anEmptiedSectionIsRemovedAndLaterReferencesDecrease() async throws {
    let source = try await organized()
    #expect(try await source.references() == [["Acme", 3], ["acme", 1], ["Zed", 2, 0]])
    try await source.remove(at: IndexPath(section: 1, row: 0))
    #expect(try await source.sectionTitles() == ["Acme", "Zed"])
    #expect(try await source.references() == [["Acme", 2], ["Zed", 1, 0]])
    try await source.remove(at: IndexPath(section: 1, row: 1))
    #expect(try await source.references() == [["Acme", 1], ["Zed", 0]])
    #expect(invoices.numberOfObjects == 4)
  }

  @Test func aFetchRestoresRemovedObjects() async throws {
    let source = try await organized()
    try await source.remove(at: IndexPath(section: 0, row: 0))
    try await source.fetchData()
    #expect(try await source.references() == [["Acme", 3], ["acme", 1], ["Zed", 2, 0]])
  }

  @Test func wrappersFollowARemoval() async throws {
    let source = try await organized()
    let wrapper = SectionedSource(source)
    try await wrapper.fetchData()
    try await source.remove(at: IndexPath(section: 2, row: 0))
    #expect(wrapper.numberOfObjects == 3)
    #expect(source.transcript.map(\.event.name) == ["will", "changes", "finished"])
    let events = wrapper.transcript.filter { $0.source === wrapper }.map(\.event.name)
    #expect(events == ["will", "changes", "finished"])
  }

  @Test func removingAtAnInvalidIndexPathFailsAndChangesNothing() async throws {
    let source = try await organized()
    await #expect(throws: SourceError.sectionOutOfRange(9, sections: 3)) {
      try await source.remove(at: IndexPath(section: 9, row: 0))
    }
    #expect(source.numberOfObjects == 4)
  }

  @Test func referencesArePositionsInTheWrappedSource() async throws {
    let reversed = SectionedSource(
      invoices, sort: [SortDescriptor(ObjectKeyPath(key: "id"), direction: .descending)])
    let source = OrganizedSource(reversed, .alphabetically, sort: [customer])
    try await source.fetchData()
    #expect(try await source.references() == [["Acme", 0], ["acme", 3], ["Zed", 1, 2]])
  }
}
