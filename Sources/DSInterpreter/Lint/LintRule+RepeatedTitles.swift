import DataSources

extension LintRule {
  /// The sort does not put the rows in the order of the key.
  static let repeatedTitles = LintRule { source, _, session in
    (source as? SectionedSource).flatMap { session.repetition(in: $0) }.map { [$0] } ?? []
  }
}
