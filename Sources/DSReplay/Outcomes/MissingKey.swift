/// An ignored key that no compared result of a run had.
struct MissingKey: Sendable, Equatable {
  /// The index of its section.
  let section: Int
  let failure: CommandFailure
}

extension FileOutcome {
  /// Adds a failure for each key that was missing in all runs of a script.
  mutating func addMissingKeys(ofRuns runs: [[MissingKey]]) {
    guard let first = runs.first else { return }
    for key in first where sections.indices.contains(key.section) {
      let isMissing = runs.allSatisfy { run in
        run.contains { other in
          other.failure.line == key.failure.line && other.failure.message == key.failure.message
        }
      }
      if !isMissing { continue }
      sections[key.section].failures.append(key.failure)
      sections[key.section].updateStatus()
    }
  }
}
