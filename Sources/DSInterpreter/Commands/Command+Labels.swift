import DataSources
import DataTables

extension Command {
  package static var labelsAreKeys: Bool { false }

  /// The labels that help lists.
  static var listedLabels: [Label] {
    resultKind == .newSource ? labels + [.id] : labels
  }
}

extension Label {
  static let id = Label(
    "id", "key path that tells objects apart, for changes", example: "number", completion: .keys)
}

extension Session {
  /// Has a source that was made tell its objects apart by what `id:` says.
  mutating func identify(_ source: any DataSource, by arguments: Arguments) async throws {
    guard let id = try arguments.label(Label.id.name) else { return }
    let key = try await id.keyPath(in: &self)
    try check(key, of: source)
    for child in source.children { try check(key, of: child) }
    source.id = key.path
  }
}
