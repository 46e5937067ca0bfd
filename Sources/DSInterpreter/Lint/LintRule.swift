import DataSources

/// Something about the content of a source that its reader may not have meant.
///
/// One file each, and one line in ``LintRule/all``.
struct LintRule: Sendable {
  /// What is odd about the content and what mends it, in a clause each; nothing when all is well.
  ///
  /// Read from titles, columns and distinct values: it must cost nothing beside a fetch.
  let check: @Sendable (any DataSource, Snapshot, Session) throws -> [String]

  static let all = [repeatedTitles, keyFindings, mixedTypes, identities]
}

extension Session {
  /// What the rules find in a source and was not told before.
  mutating func lint(_ source: any DataSource) -> [String] {
    guard let snapshot = source.state.snapshot else { return [] }
    toldWarnings.removeAll { $0.source == nil }
    var warnings: [String] = []
    for rule in LintRule.all {
      // What cannot be read now fails where it is asked for.
      for warning in (try? rule.check(source, snapshot, self)) ?? [] {
        if toldWarnings.contains(where: { $0.source === source && $0.warning == warning }) {
          continue
        }
        toldWarnings.append(ToldWarning(source: source, warning: warning))
        warnings.append(warning)
      }
    }
    return warnings
  }
}

/// A warning that was shown once.
struct ToldWarning {
  weak var source: (any DataSource)?
  let warning: String
}
