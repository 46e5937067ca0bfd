import DataSources
import DataTables

final class PeopleController: DataSourceDelegate {
  let people: SectionedSource

  init(path: String) async throws {
    people = SectionedSource(
      try await SimpleSource.load(path, formats: .core), key: try ObjectKeyPath(parsing: "city"),
      sort: [
        SortDescriptor(ObjectKeyPath(key: "city")),
        SortDescriptor(ObjectKeyPath(key: "age"), direction: .descending),
      ])
    people.delegate = self
  }

  func dataSource(_ source: any DataSource, did event: SourceEvent) {
    switch event {
    case .will: print("loading …")
    case .partial, .changes: break
    case .finished: print("\(source.numberOfSections) cities")
    case .failed(let error): print("kept the old list:", error.message)
    }
  }

  func show() async throws {
    try await people.fetchData()
    let snapshot = try people.content
    for (section, title) in try await snapshot.titles().enumerated() {
      print(title, try snapshot.numberOfObjects(in: section))
    }
    print(try await people.object(at: IndexPath(section: 0, row: 0)))
  }
}
