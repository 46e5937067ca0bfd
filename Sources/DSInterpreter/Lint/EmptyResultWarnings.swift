import DataSources
import DataTables
import Databases

// Explanations of why nothing was found.
extension LintRule {
  /// A predicate that keeps none of the objects: what each of its parts keeps, and a similar value.
  static let emptyResults = LintRule { source, snapshot, session in
    guard snapshot.numberOfObjects == 0, let predicate = snapshot.request?.predicate else {
      return []
    }
    if let below = source.children.first?.state.snapshot, below.store is TableStore {
      return try await session.explanation(of: predicate, findingNothingIn: below, of: source)
        .map { [$0] } ?? []
    }
    guard let (table, order) = source.filteredRows(of: snapshot), order.count > 0,
      // These explain it better.
      try session.warnings(about: predicate, in: table, order, of: source).isEmpty
    else { return [] }
    return [try session.explanation(of: predicate, findingNothingIn: table, order)]
  }
}

extension Predicate {
  /// The predicates that all must hold.
  fileprivate var parts: [Predicate] {
    if case .and(let parts) = self { parts } else { [self] }
  }
}

extension DataSource {
  /// The rows that the predicate of a content has tested; nil if they are not in memory.
  fileprivate func filteredRows(of snapshot: Snapshot) -> (table: any Table, order: RowOrder)? {
    guard let store = snapshot.store.local else { return nil }
    guard let below = children.first?.state.snapshot?.store.local else {
      return children.isEmpty ? (store.table, .natural(store.table.count)) : nil
    }
    return (below.table, below.order)
  }
}

extension Session {
  /// The maximum number of distinct values that are compared.
  private static let valueLimit = 2_000

  /// The maximum number of parts of a predicate that a database counts; each takes a statement.
  private static let partsOfTables = 4

  /// As ``explanation(of:findingNothingIn:_:)``, for content that a database holds; nil for a
  /// predicate that the database cannot compute, or for which another warning explains it better.
  fileprivate func explanation(
    of predicate: Predicate, findingNothingIn content: Snapshot, of source: any DataSource
  ) async throws -> String? {
    let parts = predicate.parts
    guard let store = content.store as? TableStore, store.numberOfObjects > 0,
      parts.count <= Self.partsOfTables,
      let types = try await content.typeSample(
        of: store, for: predicate, cancellation: cancellation),
      try warnings(about: predicate, in: types, .natural(types.count), of: source).isEmpty
    else { return nil }
    let total = counted(store.numberOfObjects, "object")
    var clauses: [String] = []
    for part in parts {
      let answer = try await store.answer(ContentRequest(where: part), requestContext)
      // The rest would be computed over a copy.
      if answer.rest != nil { return nil }
      clauses.append("`\(part)` keeps \(answer.store.numberOfObjects.grouped) of \(total)")
    }
    return "no object satisfies the predicate: " + clauses.joined(separator: ", ")
  }

  /// Why no object satisfies a predicate: `kind == 'sweett'` keeps 0 of 12 objects; …
  func explanation(
    of predicate: Predicate, findingNothingIn table: any Table, _ order: RowOrder
  ) throws -> String {
    let parts = predicate.parts
    let total = counted(order.count, "object")
    var clauses: [String] = []
    for part in parts {
      let kept = try table.filtered(
        order, in: .whole(order.count), by: part, keepsEmpty: true, cancellation: cancellation
      ).order.count
      var clause = "`\(part)` keeps \(kept.grouped) of \(total)"
      if kept == 0, let similar = try similarValue(to: part, in: table, order) {
        clause += " (did you mean \(similar)?)"
      }
      clauses.append(clause)
    }
    return "no object satisfies the predicate: " + clauses.joined(separator: ", ")
  }

  /// A value of the key that a part of a predicate compares with a similar one:
  /// `` `sweet`, 2 objects ``.
  private func similarValue(
    to predicate: Predicate, in table: any Table, _ order: RowOrder
  ) throws -> String? {
    guard case .comparison(let comparison) = predicate, comparison.operator.kind == .equal,
      case .key(let path) = comparison.left, case .value(let value) = comparison.right
    else { return nil }
    return try similarValue(to: value, of: path, in: table, order)
  }

  /// A value of a key that is similar to a string that it does not have.
  func similarValue(
    to value: Value, of path: ObjectKeyPath, in table: any Table, _ order: RowOrder
  ) throws -> String? {
    guard case .string(let text) = value,
      let counts = try table.valueCounts(
        of: path, in: order, limit: Self.valueLimit, cancellation: cancellation)
    else { return nil }
    var rows: [String: Int] = [:]
    var names: [String] = []
    for (value, count) in counts {
      guard case .string(let name) = value else { continue }
      names.append(name)
      rows[name] = count
    }
    guard rows[text] == nil, let near = NearNames.nearest(to: text, among: names) else {
      return nil
    }
    return "\(Value.string(near).excerpt), \(counted(rows[near] ?? 0, "object"))"
  }
}
