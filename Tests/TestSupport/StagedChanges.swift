package import DataTables

extension [[StagedChange]] {
  /// Whether the batches have each change once and an update for each object that moves and changes,
  /// and nothing else.
  package func haveOperations(of changes: [Change]) -> Bool {
    let staged = joined()
    let updates = staged.filter { $0.change.name == "update" && $0.whole.name == "move" }
    let others = staged.filter { $0.change.name == $0.whole.name }
    guard updates.count + others.count == staged.count,
      others.count == changes.count, Set(others.map(\.whole)) == Set(changes)
    else { return false }
    let moved = changes.filter { if case .move(_, _, true) = $0 { true } else { false } }
    return updates.count == moved.count && Set(updates.map(\.whole)) == Set(moved)
  }
}
