import DataSources
import DataTables

/// The objects that a command changes: the one at an index path, or all that satisfy `where:`.
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

  /// The index paths of the objects, or a section in brackets.
  /// - Throws: see ``paths(in:at:_:)``.
  func selection(
    in source: any DataSource, at span: Span, _ session: inout Session
  ) async throws -> Selection {
    guard case .path(let argument) = form else {
      return .objects(try await paths(in: source, at: span, &session))
    }
    switch try await IndexPathArgument(argument).place(in: &session) {
    case .section(let section, _): return .section(section, argument)
    case .path(let located):
      try await session.check(located, of: source)
      return .objects([located.path])
    }
  }

  /// The index paths of the objects, in order; there may be none.
  /// - Throws: ``Diagnostic``, `outOfRange` for an index path without an object.
  func paths(
    in source: any DataSource, at span: Span, _ session: inout Session
  ) async throws -> [IndexPath] {
    switch form {
    case .path(let argument):
      let located = try await IndexPathArgument(argument).path(in: &session)
      try await session.check(located, of: source)
      return [located.path]
    case .predicate(let argument):
      guard let predicate = try await argument.predicate(over: source, in: &session) else {
        throw Diagnostic(.badArgument, "`where: null` matches nothing", at: span)
      }
      do {
        return try await session.content(of: source, at: span)
          .indexPaths(where: predicate, session.requestContext)
      } catch {
        throw argument.locating(error, naming: session.displayName(of: source))
      }
    }
  }
}
