import DataSources
import DataTables

extension LintRule {
  /// Objects without the key of the sections.
  static let nullKeys = LintRule { source, snapshot, session in
    guard let key = snapshot.arrangement?.key, let cut = snapshot.store.local?.sections else {
      return []
    }
    let sections = cut.titles.indices.filter { cut.titles[$0].isNull }
    guard let first = sections.first, let child = source.children.first else { return [] }
    let objects = sections.reduce(0) { $0 + snapshot.store.numberOfObjects(in: $1) }
    let have = objects == 1 ? "has" : "have"
    let places = sections.count == 1 ? "section \(first)" : "section \(first) and others"
    return [
      "\(counted(objects, "object")) \(have) no \(key) (\(places), titled null); "
        + "`filtered \(session.displayName(of: child)) where: \(key) != null` leaves "
        + "\(objects == 1 ? "it" : "them") out"
    ]
  }
}
