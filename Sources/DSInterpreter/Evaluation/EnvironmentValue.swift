import DataTables

extension Session {
  /// The value of a variable of the environment.
  /// - Throws: ``Diagnostic``: `notFound` for a variable that is not set, `denied` in the safe mode.
  func environmentValue(_ name: String, at span: Span) throws -> String {
    let value: String?
    do {
      value = try options.environment(name)
    } catch let error as TableError {
      throw Diagnostic(error.kind, error.message, at: span)
    }
    guard let value else {
      throw Diagnostic(
        .notFound, "the environment has no `\(name)` (export \(name)=… before the start)", at: span)
    }
    return value
  }
}
