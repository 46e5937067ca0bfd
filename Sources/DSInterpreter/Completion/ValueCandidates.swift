import DataTables

/// The values that objects have under a key, the most frequent first.
struct ValueCandidates {
  let subject: CompletionSubject
  let word: UnfinishedWord

  /// The maximum number of values that are offered before a first character.
  private static let maximum = 50

  /// - Parameter inExpression: whether strings need quotes in any case.
  func candidates(of key: String, inExpression: Bool) -> [CompletionCandidate] {
    candidates(of: ObjectKeyPath(key: key), inExpression)
  }

  /// - Parameter text: a key path as it is typed; nil, or a text that is not one, gives no values.
  func candidates(ofPath text: String?, inExpression: Bool) -> [CompletionCandidate] {
    guard let path = text.flatMap({ try? ObjectKeyPath(parsing: $0) }) else { return [] }
    return candidates(of: path, inExpression)
  }

  private func candidates(
    of path: ObjectKeyPath, _ inExpression: Bool
  ) -> [CompletionCandidate] {
    let found = subject.frequentValues(of: path)
    return found.values.prefix(word.isEmpty ? Self.maximum : FrequentValues.maximum)
      .compactMap { value, rows in
        .value(
          value, inExpression: inExpression,
          description: found.isExact ? counted(rows, "row") : nil)
      }
  }
}
