import DataSources
import DataTables

/// The labels of `simple`.
struct SimpleSettings: SourceSettings {
  static let labels = [PredicateArgument.label]

  private let predicate: PredicateArgument?

  init(parsing arguments: Arguments) throws {
    predicate = PredicateArgument(parsing: arguments)
  }

  func set(
    _ source: SimpleSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    source.predicate = try await predicate.changing(source.predicate, over: inner, in: &session)
  }
}
