import DataSources
import DataTables

extension Session {
  /// What a command found out about columns that were only looked at in part before; each is told
  /// once.
  mutating func newTypeChanges() -> [String] {
    var warnings: [String] = []
    var sources = bindings.compactMap { binding in
      if case .source(let source) = binding.value { source } else { nil }
    }
    while let source = sources.popLast() {
      sources += source.children
      guard let simple = source as? SimpleSource else { continue }
      let identifier = ObjectIdentifier(simple.table)
      let changes = simple.table.typeChanges
      for change in changes.dropFirst(toldTypeChanges[identifier] ?? 0) {
        let evidence = change.evidence.map { ": \($0)" } ?? ""
        warnings.append(
          "\(change.key) of \(displayName(of: source)) is \(change.to), not \(change.from) as its "
            + "first rows have it\(evidence)")
      }
      toldTypeChanges[identifier] = changes.count
    }
    return warnings
  }
}
