import DataTables

extension Argument {
  /// Gives an error of the tables the place of the argument.
  func checking<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      let facts = Diagnostic(facts: error)
      throw self.error(facts.kind, facts.message)
    }
  }

  /// The name of a locale that exists; nil for `null`.
  func localeName(in session: inout Session) async throws -> String? {
    if isNull { return nil }
    let name = try await string(in: &session)
    _ = try checking { try Collation(.localized, locale: name) }
    return name
  }

  /// A zone that exists; GMT for `null`.
  func zone(in session: inout Session) async throws -> Zone {
    if isNull { return .gmt }
    let text = try await string(in: &session)
    return try checking { try Zone(parsing: text) }
  }
}
