import DataSources

/// A delegate that records the events it receives.
final class Listener: DataSourceDelegate {
  private(set) var events: [String] = []

  func dataSource(_ source: any DataSource, did event: SourceEvent) {
    events.append((source.name.isEmpty ? "" : source.name + " ") + event.name)
  }

  func forget() { events = [] }
}
