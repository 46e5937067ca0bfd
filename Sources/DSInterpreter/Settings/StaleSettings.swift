import DataSources

/// `stale:`, which only `set` accepts.
struct StaleSettings: SourceSettings {
  static let labels = [
    Label(
      "stale", .boolean, "false to fetch and follow the source below again", example: "false")
  ]

  private let isStale: Argument?

  init(parsing arguments: Arguments) throws { isStale = try arguments[Self.labels[0]] }

  func set(_ source: StaleSource, over inner: any DataSource, in session: inout Session) throws {
    guard let isStale else { return }
    source.isStale = try isStale.isNull || isStale.boolean()
  }
}
