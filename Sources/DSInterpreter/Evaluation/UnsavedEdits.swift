import DataSources

// Edits that the end of the session would lose.
extension ScriptExecution {
  /// The reason why the session does not end yet: files below named sources have edits that are not
  /// saved. nil without such edits, and directly after a refusal.
  func refusalToQuit(in session: Session) -> String? {
    guard lineOfRefusal != numberOfLines - 1 else { return nil }
    let names = session.namesWithUnsavedEdits
    guard !names.isEmpty else { return nil }
    lineOfRefusal = numberOfLines
    let verb = names.count == 1 ? "has" : "have"
    let saves = names.map { "`save \($0)`" }.joined(separator: ", ")
    return "\(names.joined(separator: ", ")) \(verb) edits that are not saved; \(saves) "
      + "\(names.count == 1 ? "saves" : "save") them, `quit` again leaves without them"
  }
}

extension Session {
  /// The names of loaded files with edits that are not saved, in the order in which they were bound.
  fileprivate var namesWithUnsavedEdits: [String] {
    bindings.compactMap { binding in
      guard case .source(let source as SimpleSource) = binding.value, source.hasEdits,
        source.savableSources.contains(where: { $0 === source })
      else { return nil }
      return binding.name
    }
  }
}
