import DataSources
import DataTables

extension LintRule {
  /// Objects that `id:` does not tell apart.
  static let identities = LintRule { source, snapshot, session in
    guard let id = source.id, let store = snapshot.store.local,
      let repeated = try store.table.repeatedValues(
        of: id, in: store.order, cancellation: session.cancellation)
    else { return [] }
    let have = repeated.rows == 1 ? "has" : "have"
    return [
      "\(counted(repeated.rows, "object")) \(have) the \(id) of an earlier one "
        + "(\(repeated.first.excerpt)), so changes may take one for another; "
        + "an `id:` that differs in every object mends it"
    ]
  }
}
