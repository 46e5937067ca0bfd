import DataSources
import DataTables
import Databases

/// A check of a source's content for something that its user may not have intended.
struct LintRule: Sendable {
  /// Returns the unusual properties of the content, each as one clause with a fix.
  ///
  /// Reads titles, columns and distinct values only: a check must be cheap compared with a fetch.
  let check: Check

  typealias Check = @Sendable (any DataSource, Snapshot, Session) async throws -> [String]

  static let all = [repeatedTitles, keyFindings, mixedTypes, repeatedIDs, unrolledArrays]

  /// Checks of conditions and computations that silently have no result. Unlike the others, they
  /// also apply to the sources below.
  fileprivate static let silentResults = [comparisons, operators, emptyResults]

  /// Titles that repeat because the sort does not order the rows by the key.
  private static let repeatedTitles = LintRule { source, _, session in
    (source as? SectionedSource).flatMap { session.repeatedTitlesWarning(for: $0) }.map { [$0] }
      ?? []
  }

  /// A section key that some objects lack, that is not a date in some objects of dated sections, or
  /// that has the same value or a different value in every object.
  private static let keyFindings = LintRule { source, snapshot, session in
    guard let key = source.sectionKey else { return [] }
    var warnings: [String] = []
    for finding in snapshot.findings {
      warnings.append(try await session.warning(about: finding, key: key, source))
    }
    return warnings
  }

  /// Comparisons of the predicate whose result does not depend on the values.
  private static let comparisons = LintRule { source, snapshot, session in
    guard let predicate = snapshot.request?.predicate else { return [] }
    let below = source.children.first?.state.snapshot
    if let below, let table = below.store as? TableStore {
      let sample = try await below.typeSample(
        of: table, for: predicate, cancellation: session.cancellation)
      guard let sample else { return [] }
      return try session.warnings(
        about: predicate, in: sample, .natural(sample.count), of: source)
    }
    guard let store = snapshot.store.local else {
      guard snapshot.numberOfObjects == 0 else { return [] }
      // A page of the source below shows the types of the values that are compared.
      let sample = ValueTable(try await below?.firstBatch() ?? [])
      return try session.warnings(
        about: predicate, in: sample, .natural(sample.count), of: source)
    }
    // The rows that the predicate rejected are among those of the source below.
    let inner = below?.store.local
    let rows = inner?.table === store.table ? inner?.order : nil
    return try session.warnings(
      about: predicate, in: store.table, rows ?? .natural(store.table.count), of: source)
  }

  /// Collection operators in the sort, the key and the predicate that cannot use the values.
  private static let operators = LintRule { source, snapshot, session in
    guard let request = snapshot.request, let store = snapshot.store.local else { return [] }
    return try request.keyPaths.flatMap { path -> [String] in
      guard case .key = path.steps.first, path.steps.contains(where: \.isNumeric) else { return [] }
      let uses = try store.table.operatorUses(in: path, cancellation: session.cancellation)
      return try uses.compactMap { try session.warning(about: $0, of: source) }
    }
  }

  /// Values of several types under a key of the sort.
  private static let mixedTypes = LintRule { _, snapshot, session in
    var warnings: [String] = []
    for descriptor in snapshot.request?.sort ?? [] {
      let types = try await snapshot.store.types(of: descriptor.keyPath, session.requestContext)
      guard let last = types.last, types.count > 1 else { continue }
      let list = types.dropLast().map { "\($0)s" }.joined(separator: ", ") + " and \(last)s"
      warnings.append(
        "`\(SortDescriptor.labels([descriptor]))` compares \(list), which sort by type; "
          + "use data of one type, or a key that has one")
    }
    return warnings
  }

  /// Objects that `id:` does not distinguish.
  private static let repeatedIDs = LintRule { source, snapshot, session in
    guard let id = source.id, let store = snapshot.store.local,
      let repeated = try store.table.repeatedValues(
        of: id, in: store.order, cancellation: session.cancellation)
    else { return [] }
    let have = repeated.rows == 1 ? "has" : "have"
    return [
      "\(counted(repeated.rows, "object")) \(have) the \(id) of an earlier one "
        + "(\(repeated.first.excerpt)), so changes may confuse them; "
        + "use an `id:` that differs in every object"
    ]
  }

  /// Arrays without elements, keys that elements share with their parents, and values that are not
  /// arrays.
  private static let unrolledArrays = LintRule { source, snapshot, _ in
    guard source is UnrolledSource, let table = snapshot.store.local?.table as? UnrolledTable
    else { return [] }
    var warnings: [String] = []
    let empty = table.rowsWithoutElements
    if empty > 0, !table.keepsEmpty {
      warnings.append(
        "\(counted(empty, "object")) \(empty == 1 ? "has" : "have") no elements in \(table.path) and "
          + "\(empty == 1 ? "is" : "are") left out; `empty: show` keeps \(empty == 1 ? "it" : "them")"
      )
    }
    if !table.renamedKeys.isEmpty {
      let names = table.renamedKeys.map { key, name in
        "\(ObjectKeyPath(key: key)) is \(ObjectKeyPath(key: name))"
      }
      warnings.append(
        "the elements of \(table.path) have keys that their objects have too; theirs are renamed: "
          + names.joined(separator: ", "))
    }
    if !table.hasArrays, table.count > 0 {
      warnings.append("no \(table.path) is an array, so each object is one row")
    }
    return warnings
  }
}

extension Snapshot {
  /// The first objects, which one read returns.
  fileprivate func firstBatch() async throws -> [Value] {
    for try await batch in batches(of: 100) { return batch.objects }
    return []
  }
}

extension Session {
  /// Returns the warnings of all rules about a source that were not reported before.
  ///
  /// Conditions are also checked in the sources below: if one of them keeps no object, the wrappers
  /// have none either.
  mutating func lint(_ source: any DataSource) async -> [String] {
    reportedWarnings.removeAll { $0.source == nil }
    var open: [any DataSource] = [source]
    var seen: Set<ObjectIdentifier> = []
    while let next = open.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      for warning in await newWarnings(about: next, by: LintRule.silentResults) { warn(warning) }
      open += next.children
    }
    return await newWarnings(about: source, by: LintRule.all)
  }

  private mutating func newWarnings(
    about source: any DataSource, by rules: [LintRule]
  ) async -> [String] {
    guard let snapshot = source.state.snapshot else { return [] }
    var warnings: [String] = []
    for rule in rules {
      // The command that needs the data reports errors in reading it.
      for warning in (try? await rule.check(source, snapshot, self)) ?? [] {
        if reportedWarnings.contains(where: { $0.source === source && $0.warning == warning }) {
          continue
        }
        reportedWarnings.append(ReportedWarning(source: source, warning: warning))
        warnings.append(warning)
      }
    }
    return warnings
  }

  /// Returns a warning for each column whose type turned out to differ from the type of its first
  /// rows; reports each change once.
  mutating func newTypeChangeWarnings() -> [String] {
    var warnings: [String] = []
    loaded.removeAll { $0.source == nil }
    for source in loaded.compactMap(\.source) {
      let table = source.table
      let identifier = ObjectIdentifier(table)
      let changes = table.typeChanges
      for change in changes.dropFirst(reportedTypeChanges[identifier] ?? 0) {
        let evidence = change.evidence.map { ": \($0)" } ?? ""
        warnings.append(
          "\(change.key) of \(displayName(of: source)) is \(change.to), not \(change.from) as in its "
            + "first rows\(evidence)")
      }
      reportedTypeChanges[identifier] = changes.count
    }
    return warnings
  }
}
