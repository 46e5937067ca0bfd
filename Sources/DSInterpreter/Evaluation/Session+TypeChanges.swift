import DataSources
import DataTables

extension Session {
  /// What a command found out about columns that were only looked at in part before; each is told
  /// once.
  mutating func newTypeChanges() -> [String] {
    var warnings: [String] = []
    loaded.removeAll { $0.source == nil }
    for simple in loaded.compactMap(\.source) {
      let identifier = ObjectIdentifier(simple.table)
      let changes = simple.table.typeChanges
      for change in changes.dropFirst(toldTypeChanges[identifier] ?? 0) {
        let evidence = change.evidence.map { ": \($0)" } ?? ""
        warnings.append(
          "\(change.key) of \(displayName(of: simple)) is \(change.to), not \(change.from) as its "
            + "first rows have it\(evidence)")
      }
      toldTypeChanges[identifier] = changes.count
    }
    return warnings
  }
}
