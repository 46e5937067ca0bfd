import DataSources
import DataTables

/// The labels of `multi`.
struct MultiSettings: SourceSettings {
  static let labels = [
    Label(
      "preserve", "true keeps the sections and titles of the sources", example: "true",
      completion: .words(["true", "false"]))
  ]

  private let preserve: Argument?

  init(parsing arguments: Arguments) throws {
    preserve = try arguments.label("preserve")
  }

  func set(
    _ source: MultiSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    guard let preserve else { return }
    source.preservesSections = try !preserve.isNull && preserve.bool()
  }
}
