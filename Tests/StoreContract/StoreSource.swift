package import DataSources

/// A source that shows the content of a store.
package final class StoreSource: DataSource {
  package static let kind = "store"
  package let state: SourceState
  private let content: Snapshot
  package var children: [any DataSource] { [] }
  package var summary: String { "store" }

  package init(_ store: any SnapshotStore, name: String = "") {
    content = Snapshot(store)
    state = SourceState(name: name, snapshot: content)
  }

  package func makeSnapshot(_ fetch: Fetch) -> Snapshot { content }
}
