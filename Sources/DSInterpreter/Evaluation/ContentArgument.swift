import DataSources
import DataTables

/// A source or a file: the name of a source, a command in parentheses, or a path.
///
/// A word is the name of a source if one has it, otherwise a path. A file is loaded without labels
/// and bound to no name.
struct ContentArgument {
  private let argument: Argument
  var span: Span { argument.span }

  init?(parsing arguments: inout Arguments, _ parameter: Parameter) throws {
    guard let argument = try arguments.take(parameter) else { return nil }
    self.argument = argument
  }

  func source(in session: inout Session) async throws -> any DataSource {
    switch argument.form {
    case .piped: return try await SourceArgument.source(argument, in: &session)
    case .atom(let atom):
      switch atom.kind {
      case .word(let name)
      where name != "_" && session.names[name] == nil && !session.isTablePath(name):
        return try await file(name, isQuoted: false, in: &session)
      case .quoted(let path): return try await file(path, isQuoted: true, in: &session)
      default: return try await SourceArgument.source(argument, in: &session)
      }
    }
  }

  private func file(
    _ path: String, isQuoted: Bool, in session: inout Session
  ) async throws -> any DataSource {
    do {
      let source = try await session.load(session.resolve(path, at: argument))
      for note in LoadSummary(source, name: path).report.notes {
        session.warn("\(path): " + (note.subject.map { "\($0): " } ?? "") + note.text)
      }
      return source
    } catch {
      let error = SourceError(error)
      guard error.kind == .io, !isQuoted, !path.contains("."), !path.contains("/") else {
        throw argument.error(error.kind, error.message)
      }
      let sources = session.bindings.filter { if case .source = $0.value { true } else { false } }
      throw Diagnostic(
        .unknownName, "no source or file named `\(path)`",
        suggestion: Suggestion.nearest(to: path, among: sources.map(\.name)), at: span)
    }
  }
}
