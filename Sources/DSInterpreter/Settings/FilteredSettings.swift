import DataSources
import DataTables

/// The labels of `filtered`.
struct FilteredSettings: SourceSettings {
  static let labels = [
    PredicateArgument.label,
    Label(
      "empty", "hide (default) or show sections that are left empty", example: "show",
      completion: .words(["show", "hide"])),
  ]

  private let predicate: PredicateArgument?
  private let empty: Argument?

  init(parsing arguments: Arguments) throws {
    predicate = PredicateArgument(parsing: arguments)
    empty = try arguments.label("empty")
  }

  func set(
    _ source: FilteredSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    let showsEmpty = try empty.map { try !$0.isNull && $0.showsEmpty() } ?? source.showsEmpty
    source.predicate = try await predicate.changing(source.predicate, over: inner, in: &session)
    source.showsEmpty = showsEmpty
  }
}

extension Argument {
  /// Whether it is `show`, of sections without objects, and not `hide`.
  func showsEmpty() throws -> Bool {
    try choice(of: ["show", "hide"], for: "way with empty sections") == "show"
  }
}
