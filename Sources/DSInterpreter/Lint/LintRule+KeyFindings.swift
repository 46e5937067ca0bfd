import DataSources

extension LintRule {
  /// A key that objects lack, or that is the same or different in all of them.
  static let keyFindings = LintRule { source, snapshot, session in
    guard let key = source.sectionKey else { return [] }
    return snapshot.findings.map { session.text(of: $0, key: key, source) }
  }
}
