import DataSources
import DataTables

// Edits of the children of multi sources.
extension Session {
  /// Adds, removes or moves a child, as a step of the open transaction if there is one.
  mutating func edit(
    _ source: MultiSource, _ edit: ChildEdit, at span: Span
  ) async throws -> CommandResult {
    _ = try content(of: source, at: span)
    do {
      return try await step(in: source) { edits, cancellation in
        try await edits.apply(edit, to: source, cancellation: cancellation)
      }
    } catch {
      var diagnostic = Diagnostic(facts: error)
      diagnostic.message =
        message(of: SourceError(error), editing: source)
        ?? "\(displayName(of: source)): \(diagnostic.message)"
      diagnostic.place = span.place
      throw diagnostic
    }
  }

  /// The message of an error that names a child; nil for other errors.
  private func message(of error: SourceError, editing source: MultiSource) -> String? {
    let name = displayName(of: source)
    func phrase(_ child: Int, _ sections: Range<Int>) -> String {
      let child = source.children.indices.contains(child) ? source.children[child] : source
      return "the \(sections.count) sections (\(sections)) of \(displayName(of: child))"
    }
    switch error {
    case .sectionOfChild(let section, let child, let sections):
      return "section \(section) of \(name) is one of \(phrase(child, sections)), which can only "
        + "be removed or moved together; `remove \(name) [\(section), ROW]` removes its objects, and after "
        + "`set \(name) preserve: false | fetch` each source is one section"
    case .placeInChild(let section, let child, let sections):
      return "\(name): section \(section) would be among \(phrase(child, sections)); the places "
        + "around them are \(sections.lowerBound) and \(sections.upperBound)"
    case .earlierContent: return reasonAgainstEarlierContent(of: source)
    default: return nil
    }
  }

  /// The multi source whose children a command changes.
  /// - Throws: ``Diagnostic``, `badArgument` for a source without children that can be changed.
  func multi(_ source: any DataSource, at argument: Argument) throws -> MultiSource {
    if let multi = source as? MultiSource { return multi }
    throw argument.error(
      .badArgument,
      "an index path has a section and a row: `[section, row]`; a section alone names a child "
        + "of a multi source\(multi(below: source).map { ", such as \($0)" } ?? "")")
  }

  /// The name of the first multi source below a source that has one.
  func multi(below source: any DataSource) -> String? {
    SourceGraph.sources(below: source).lazy.filter { $0 is MultiSource }
      .compactMap { self.boundName(of: $0) }.first
  }

  /// Observes the children that a change of their parent added to those that are watched.
  mutating func observeNewChildren(of sources: [any DataSource]) async {
    guard !watchers.isEmpty, sources.contains(where: { $0 is MultiSource }) else { return }
    observeRemaining()
    await monitors.begin(cancellation: cancellation)
  }
}
