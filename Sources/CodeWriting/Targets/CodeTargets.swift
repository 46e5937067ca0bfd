/// All targets.
package enum CodeTargets {
  package static let all: [any CodeTarget.Type] = [
    DiffableTarget.self, FetchedResultsTarget.self, TableViewTarget.self, InstantCocoaTarget.self,
    LibraryTarget.self,
  ]

  package static func named(_ name: String) -> (any CodeTarget.Type)? {
    all.first { $0.name == name }
  }

  /// A target and a language in which the chain of a refused request has code; nil without one.
  ///
  /// The preferred target is tried first, then the others of the same language.
  package static func alternative(
    to request: CodeRequest, preferring preferred: String?
  ) -> (target: String, language: CodeLanguage)? {
    let first = preferred.flatMap(named).map { [$0] } ?? []
    for language in [request.language] + CodeLanguage.allCases.filter({ $0 != request.language }) {
      for target in first + all where target.languages.contains(language) {
        var other = request
        other.language = language
        if (try? target.code(for: other)) != nil { return (target.name, language) }
      }
    }
    return nil
  }

  /// The target that suits a chain best in a language.
  package static func usual(for chain: SourceChain, in language: CodeLanguage) -> String {
    if case .fetchedResults = chain.top.form { return "fetchedResults" }
    return language == .swift ? "diffable" : "tableView"
  }
}
