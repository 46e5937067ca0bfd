import DataSources
import DataTables

/// The labels of `load`, and the predicate that a loaded file can be told afterwards.
struct LoadSettings: SourceSettings {
  static let kind = "load"
  static let labels = ReadOptionArguments.labels + SimpleSettings.labels

  private let options: ReadOptionArguments
  private let others: SimpleSettings

  init(parsing arguments: Arguments) throws {
    options = try ReadOptionArguments(parsing: arguments)
    others = try SimpleSettings(parsing: arguments)
  }

  static func apply(to source: any DataSource) -> Bool {
    (source as? SimpleSource)?.options != nil
  }

  func set(
    _ source: SimpleSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    guard let old = source.options else { return }
    let new = try await options.options(changing: old, in: &session)
    try await others.set(source, over: inner, in: &session)
    if new != old { try source.read(with: new) }
  }
}
