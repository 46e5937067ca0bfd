import DataSources
import DataTables

/// `indexPath SOURCE OBJECT`
struct IndexPathCommand: Command {
  static let names = ["indexPath", "indexPathForObject"]
  static let synopsis = "indexPath SOURCE {KEY: VALUE, …} | OBJECT | where: PREDICATE"
  static let summary = "Gives the place of the first object that has these values; null for none."
  static let labels = [
    Label("where", "what the object satisfies", example: "name BEGINSWITH 'P' and kind == 'sweet'")
  ]
  static let examples = [
    "indexPath letters {name: Grape}",
    "indexPath letters where: name BEGINSWITH 'P' and kind == 'sweet'",
    "indexPath (simple [Pie, Carrot]) \"Carrot\"",
  ]
  static let seeAlso = ["object", "expect"]

  let source: SourceArgument
  let object: Argument?
  let predicate: Expression?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    predicate = arguments.predicate("where")
    object = predicate == nil ? try arguments.required("an object, or `where:`") : nil
  }

  func run(in session: inout Session) async throws -> Answer {
    let source = try await source.source(in: &session)
    let snapshot = try session.content(of: source, at: self.source.span)
    for key in keys { try session.check(key, isKeyOf: source, snapshot) }
    let path = try await find(in: snapshot, &session)
    let value = path.map { Value.array([.integer($0.section), .integer($0.row)]) } ?? .null
    return Answer(.value(value), Output(.value(value)))
  }

  /// The keys that are looked for, but for those that are to be missing.
  private var keys: [Word] {
    if let predicate { return predicate.names.filter { $0.text.lowercased() != "self" } }
    guard case .atom(let atom)? = object?.form, case .record(let pairs) = atom.kind else {
      return []
    }
    return pairs.filter { !Argument(form: .atom($0.value), span: $0.value.span).isNull }
      .map(\.key)
  }

  private func find(
    in snapshot: Snapshot, _ session: inout Session
  ) async throws -> IndexPath? {
    if let predicate { return try await first(where: predicate, in: snapshot, &session) }
    guard let object = try await object?.value(in: &session) else { return nil }
    if case .record(let values) = object { return try await snapshot.indexPath(matching: values) }
    return try await snapshot.indexPath(of: object)
  }

  private func first(
    where predicate: Expression, in snapshot: Snapshot, _ session: inout Session
  ) async throws -> IndexPath? {
    for try await batch in snapshot.batches() {
      try session.cancellation.check()
      for (offset, object) in batch.objects.enumerated()
      where try await session.holds(predicate, object: object) {
        return IndexPath(section: batch.start.section, row: batch.start.row + offset)
      }
    }
    return nil
  }
}
