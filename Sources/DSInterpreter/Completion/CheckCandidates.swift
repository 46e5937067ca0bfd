/// The words of a check of objects: `expect all SOURCE where: …`.
struct CheckCandidates {
  /// The words after the verb, before the cursor.
  let words: [String]
  let keys: KeyCandidates
  let names: NameCandidates

  /// The word that begins a check, then the source, then the label or the key.
  func candidates(for text: String) -> [CompletionCandidate] {
    guard let first = words.first else {
      return CompletionCandidate.words(Beginning.allCases.map(\.rawValue))
    }
    guard let beginning = Beginning(rawValue: first) else { return [] }
    if words.count == 1 { return names.sources(for: text) }
    return beginning.label.map { [.word($0 + ":")] } ?? keys.candidates(for: text)
  }

  /// Whether a word begins a check whose other words follow it.
  static func isBeginning(_ word: String) -> Bool {
    word == "throws" || Beginning(rawValue: word) != nil
  }

  enum Beginning: String, CaseIterable {
    case all, none, unique, sorted

    /// The label after the source; nil if a key follows.
    var label: String? {
      switch self {
      case .all, .none: "where"
      case .sorted: "by"
      case .unique: nil
      }
    }
  }
}
