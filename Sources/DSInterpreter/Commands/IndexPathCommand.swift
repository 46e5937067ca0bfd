import DataSources
import DataTables

/// `indexPath SOURCE OBJECT`, `indexPath SOURCE where: PREDICATE`
struct IndexPathCommand: Command {
  private static let object = Parameter("{KEY: VALUE, …} | OBJECT", .value, .optional)

  static let names = ["indexPath", "indexPathForObject"]
  static let parameters = [Parameter.source, object]
  static let labels = [PredicateArgument.label]
  static let synopsis = "indexPath SOURCE {KEY: VALUE, …} | OBJECT | where: PREDICATE"
  static let summary = "Returns the index path of the first object that matches, or null."
  static let notes = ["A KEY that no object has may be a key path: `{address.city: Rome}`."]
  static let examples = [
    "indexPath letters {name: Grape}",
    "indexPath letters where: name BEGINSWITH 'P' and kind == 'sweet'",
    "indexPath (simple [Pie, Carrot]) \"Carrot\"",
  ]
  static let seeAlso = ["object", "expect", "predicates"]

  private let source: SourceArgument
  private let object: Argument?
  private let predicate: PredicateArgument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    predicate = PredicateArgument(parsing: arguments)
    object = predicate == nil ? try arguments.take(Self.object) : nil
    if predicate == nil, object == nil { throw arguments.missing("an object or `where:`") }
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let snapshot = try session.content(of: source, at: self.source.span)
    for key in keys { try session.check(key, isKeyOrPathOf: source, snapshot) }
    let path = try await find(in: snapshot, of: source, &session)
    if path == nil { try await warnAboutAbsence(in: snapshot, &session) }
    let value = path?.value ?? .null
    return CommandResult(.value(value), Output(.value(value)))
  }

  /// Warns about values that no object has, if a similar one exists.
  private func warnAboutAbsence(
    in snapshot: Snapshot, _ session: inout Session
  ) async throws {
    guard let store = snapshot.store.local, store.numberOfObjects > 0 else { return }
    for (key, atom) in object?.entries ?? [] {
      let value = try await session.value(of: atom)
      // A null matches a key that no object has.
      guard
        let similar = try? session.similarValue(
          to: value, of: snapshot.keyPath(of: key.text), in: store.table, store.order)
      else { continue }
      session.warn(
        "no object has \(value.excerpt) under `\(key.text)`; did you mean \(similar)?")
    }
  }

  /// The keys of the object to find, except keys whose value is `null`, which the content may lack.
  private var keys: [Word] {
    (object?.entries ?? []).filter { !Argument($0.value).isNull }.map(\.key)
  }

  private func find(
    in snapshot: Snapshot, of source: any DataSource, _ session: inout Session
  ) async throws -> IndexPath? {
    if let predicate {
      guard let wanted = try await predicate.predicate(over: source, in: &session) else {
        throw Diagnostic(.badArgument, "`where: null` matches nothing", at: self.source.span)
      }
      do {
        // Without objects, any key is accepted, and no comparison is a mistake.
        if let store = snapshot.store.local, store.numberOfObjects > 0 {
          for warning in try session.warnings(
            about: wanted, in: store.table, store.order, of: source)
          {
            session.warn(warning)
          }
        }
        return try await snapshot.indexPath(where: wanted, cancellation: session.cancellation)
      } catch {
        throw predicate.locating(error, in: wanted.checkedKeyPaths, of: source, session)
      }
    }
    guard let object = try await object?.value(in: &session) else { return nil }
    return try await snapshot.firstIndexPath(matching: object)
  }
}
