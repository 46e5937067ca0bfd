import DataSources
import DataTables

// Expectations about all objects of a source.
extension ObjectsCheck {
  /// - Throws: ``Diagnostic`` of kind `expectation`, with the number of objects that break it and the
  ///   first of them; the errors of the predicate, the key and the descriptors.
  func check(in session: inout Session) async throws {
    let argument = Argument(source, type: .source)
    let source = try await SourceArgument.source(argument, in: &session)
    session.lastSource = source
    try await session.showTransaction(in: source)
    let snapshot = try session.content(of: source, at: argument.span)
    let section = try await self.section(of: source, snapshot, in: &session)
    session.contentReads?.add(section.map { .section($0) } ?? .all, of: source)
    let context = session.requestContext
    let broken: BrokenExpectation?
    let problem: String
    switch condition {
    case .predicate(let expression, let isNegated):
      let argument = PredicateArgument(expression)
      guard let predicate = try await argument.predicate(over: source, in: &session) else {
        throw Diagnostic(.badArgument, "`where: null` matches nothing", at: expression.span)
      }
      do {
        broken = try await snapshot.objects(
          where: isNegated ? predicate : .not(predicate), in: section, context)
      } catch {
        throw argument.locating(error, naming: session.displayName(of: source), in: session)
      }
      problem = isNegated ? "satisfy" : "do not satisfy"
    case .unique(let atom):
      let key = try await Argument(atom, type: .keyPath(.everyRow)).keyPath(in: &session)
      try session.check(key, of: source)
      broken = try await snapshot.repeats(of: key.path, in: section, context)
      problem = "repeat"
    case .sorted(let value, let nulls):
      let descriptors = try await SortArguments(value, nulls: nulls).descriptors(
        changing: [], over: source, in: &session)
      broken = try await snapshot.disorder(by: descriptors, in: section, context)
      problem = "are out of order by"
    }
    guard let broken else { return }
    throw try await failure(broken, problem, of: source, section, snapshot, in: session)
  }

  /// The section whose objects are checked; nil for all objects.
  private func section(
    of source: any DataSource, _ snapshot: Snapshot, in session: inout Session
  ) async throws -> Int? {
    guard let atom = place else { return nil }
    let argument = IndexPathArgument(Argument(atom, type: .section))
    let (section, span) = try await argument.section(in: &session)
    try session.check(section: section, of: source, snapshot, at: span)
    return section
  }

  private func failure(
    _ broken: BrokenExpectation, _ problem: String, of source: any DataSource, _ section: Int?,
    _ snapshot: Snapshot, in session: Session
  ) async throws -> Diagnostic {
    let name = session.displayName(of: source) + (section.map { "[\($0)]" } ?? "")
    let objects = section.map { snapshot.store.numberOfObjects(in: $0) } ?? snapshot.numberOfObjects
    let total = counted(objects, "object")
    let verb = broken.count == 1 ? problem.singularVerb : problem
    var details = [
      "first: \(try await place(of: broken.first, source, snapshot, in: session)): "
        + "\(try await snapshot.object(at: broken.first).excerpt)"
    ]
    if let other = broken.other {
      details.append(
        "after: \(try await place(of: other, source, snapshot, in: session)): "
          + "\(try await snapshot.object(at: other).excerpt)")
    }
    return Diagnostic(
      .expectation,
      "\(broken.count.grouped) of \(total) of \(name) \(verb) `\(criterion.text)`",
      details: details, at: span)
  }

  /// The predicate, the key or the descriptors, as written.
  private var criterion: Span {
    switch condition {
    case .predicate(let expression, _): return expression.span
    case .unique(let key): return key.span
    case .sorted(let value, let nulls):
      guard case .groups(let groups) = value.content, let first = groups.first?.first?.span,
        let last = nulls?.span ?? groups.last?.last?.span
      else { return value.span }
      return Span(first.script, first.start..<last.end)
    }
  }

  /// `foods [0, 3], line 5 of foods.csv`
  private func place(
    of path: IndexPath, _ source: any DataSource, _ snapshot: Snapshot, in session: Session
  ) async throws -> String {
    var (owner, place) = (source, path)
    while !(owner is SimpleSource), let content = owner.state.snapshot,
      let origin = try await owner.origin(of: place, in: content),
      owner.children.indices.contains(origin.child)
    {
      (owner, place) = (owner.children[origin.child], origin.path)
    }
    let file = try FilePlace(of: place, in: owner)
    return "\(session.displayName(of: source)) \(path)"
      + (file.map { ", line \($0.line) of \($0.file)" } ?? "")
  }
}

extension String {
  /// The verb phrase after a singular: `does not satisfy`.
  fileprivate var singularVerb: String {
    switch self {
    case "do not satisfy": "does not satisfy"
    case "are out of order by": "is out of order by"
    case "satisfy": "satisfies"
    default: self + "s"
    }
  }
}
