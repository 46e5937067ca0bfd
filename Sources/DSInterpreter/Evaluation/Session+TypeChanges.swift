import DataSources
import DataTables

extension Session {
  /// What a command found out about columns that were only looked at in part before; each is told
  /// once.
  mutating func newTypeChanges() -> [String] {
    var warnings: [String] = []
    loaded.removeAll { $0.source == nil }
    for source in loaded.compactMap(\.source) {
      let table = source.table
      let identifier = ObjectIdentifier(table)
      let changes = table.typeChanges
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
