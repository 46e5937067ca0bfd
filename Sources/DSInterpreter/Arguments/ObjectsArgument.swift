import DataSources
import DataTables

/// The objects that a command changes: those at an index path or at a list of them, or all that
/// satisfy `where:`.
struct ObjectsArgument {
  private enum Form {
    case path(Argument)
    case predicate(PredicateArgument)
  }
  /// Objects, or a section with its argument.
  enum Selection {
    case objects([IndexPath])
    case section(Int, Argument)
  }
  private let form: Form

  /// Whether a condition finds the objects.
  var isSearch: Bool { if case .predicate = form { true } else { false } }

  /// - Parameter parameter: an optional index path or section.
  init(parsing arguments: inout Arguments, _ parameter: Parameter) throws {
    let path = try arguments.take(parameter)
    switch (path, PredicateArgument(parsing: arguments)) {
    case (let path?, nil): form = .path(path)
    case (nil, let predicate?): form = .predicate(predicate)
    case (let path?, _?):
      throw path.error(.badArgument, "an index path and `where:` exclude each other")
    case (nil, nil): throw arguments.missing("an index path or `where:`")
    }
  }

  /// The index paths of the objects, in order, or a section in brackets; there may be none.
  /// - Throws: ``Diagnostic``: `outOfRange` for an index path without an object, `badArgument` for one
  ///   that a list repeats.
  func selection(
    in source: any DataSource, at span: Span, _ session: inout Session
  ) async throws -> Selection {
    switch form {
    case .path(let argument):
      switch try await IndexPathArgument(argument).places(in: &session) {
      case .place(.section(let section, _)): return .section(section, argument)
      case .place(.path(let located)):
        return .objects(try await check([located], of: source, in: session))
      case .list(let located):
        return .objects(try await check(located, of: source, in: session))
      }
    case .predicate(let argument):
      guard let predicate = try await argument.predicate(over: source, in: &session) else {
        throw Diagnostic(.badArgument, "`where: null` matches nothing", at: span)
      }
      do {
        return .objects(
          try await session.content(of: source, at: span)
            .indexPaths(where: predicate, session.requestContext))
      } catch {
        throw argument.locating(error, naming: session.displayName(of: source), in: session)
      }
    }
  }

  private func check(
    _ located: [LocatedIndexPath], of source: any DataSource, in session: Session
  ) async throws -> [IndexPath] {
    var paths: Set<IndexPath> = []
    for located in located {
      try await session.check(located, of: source)
      guard paths.insert(located.path).inserted else {
        throw Diagnostic(.badArgument, "\(located.path) is in the list twice", at: located.rowSpan)
      }
    }
    return located.map(\.path)
  }
}
