import DataSources
import DataTables

/// `indexPath SOURCE OBJECT`
struct IndexPathCommand: Command {
  static let names = ["indexPath", "indexPathForObject"]
  static let synopsis = "indexPath SOURCE {KEY: VALUE, …} | OBJECT | where: PREDICATE"
  static let summary = "Gives the place of the first object that has these values; null for none."
  static let labels = [PredicateArgument.label]
  static let examples = [
    "indexPath letters {name: Grape}",
    "indexPath letters where: name BEGINSWITH 'P' and kind == 'sweet'",
    "indexPath (simple [Pie, Carrot]) \"Carrot\"",
  ]
  static let seeAlso = ["object", "expect", "predicates"]

  let source: SourceArgument
  let object: Argument?
  let predicate: PredicateArgument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    predicate = PredicateArgument(parsing: arguments)
    object = predicate == nil ? try arguments.required("an object, or `where:`") : nil
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let snapshot = try session.content(of: source, at: self.source.span)
    for key in keys { try session.check(key, isKeyOf: source, snapshot) }
    let path = try await find(in: snapshot, of: source, &session)
    let value = path.map { Value.array([.integer($0.section), .integer($0.row)]) } ?? .null
    return CommandResult(.value(value), Output(.value(value)))
  }

  /// The keys that are looked for, but for those that are to be missing.
  private var keys: [Word] {
    guard case .atom(let atom)? = object?.form, case .record(let pairs) = atom.kind else {
      return []
    }
    return pairs.filter { !Argument(form: .atom($0.value), span: $0.value.span).isNull }
      .map(\.key)
  }

  private func find(
    in snapshot: Snapshot, of source: any DataSource, _ session: inout Session
  ) async throws -> IndexPath? {
    if let predicate {
      guard let wanted = try await predicate.predicate(over: source, in: &session) else {
        throw Diagnostic(.badArgument, "`where: null` finds nothing", at: self.source.span)
      }
      do {
        return try await snapshot.indexPath(where: wanted, cancellation: session.cancellation)
      } catch {
        throw predicate.placing(error, naming: session.displayName(of: source))
      }
    }
    guard let object = try await object?.value(in: &session) else { return nil }
    if case .record(let values) = object { return try await snapshot.indexPath(matching: values) }
    return try await snapshot.indexPath(of: object)
  }
}
