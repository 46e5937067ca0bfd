import DataSources
import DataTables

/// The labels of `unroll`, and `key:`, the path of the arrays, which only `set` accepts.
struct UnrollSettings: SourceSettings {
  private static let key = Label(
    "key", .keyPath(.everyRow), "key path of the arrays", example: "orders")
  private static let empty = Label(
    "empty", ModeArguments.emptySections, "hide (default) or show objects without elements",
    example: "show")
  static let verbLabels = [empty]
  static let labels = [key] + verbLabels

  private let key: Argument?
  private let empty: Argument?

  init(parsing arguments: Arguments) throws {
    try self.init(parsing: arguments, key: try arguments[Self.key])
  }

  init(parsing arguments: Arguments, key: Argument?) throws {
    self.key = key
    empty = try arguments[Self.empty]
  }

  func set(
    _ source: UnrolledSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    if let key, key.isNull {
      throw key.error(.badArgument, "`unroll` needs the key path of an array such as `key: orders`")
    }
    let newPath = try await session.key(key, changing: source.path, of: inner) ?? source.path
    let keepsEmpty =
      try empty.map { try !$0.isNull && $0.choice(as: EmptySections.self) == .show }
      ?? source.keepsEmpty
    (source.path, source.keepsEmpty) = (newPath, keepsEmpty)
  }
}
