import DataSources
import DataTables

/// The labels of `distinct`.
struct DistinctSettings: SourceSettings {
  private static let keys = Label(
    "by", .list(.keyPath(.everyRow)), "key paths to compare; whole objects if omitted",
    example: "kind")
  static let labels = [keys]

  private let keys: [Argument]?

  init(parsing arguments: Arguments) throws { keys = arguments.list(Self.keys) }

  func set(
    _ source: DistinctSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    guard let keys else { return }
    if keys.count == 1, keys[0].isNull {
      source.keys = []
      return
    }
    source.keys = try await session.keys(keys, of: inner)
  }
}
