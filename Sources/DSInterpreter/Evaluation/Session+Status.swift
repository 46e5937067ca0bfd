package import DataSources
import DataTables

// What is said of a source in a line.
extension Session {
  /// The state of a source, as `fetch` tells it: its counts, or how it comes to have some.
  package func status(of source: any DataSource) -> Report {
    let name = nameToShow(of: source)
    guard let store = source.state.snapshot?.store else {
      let fetch = pendingName ?? boundName(of: source)
      let hint = fetch.map { " (fetch \($0))" } ?? ""
      return Report(
        headline: "\(name): \(wrapping(source)), not fetched yet\(hint)",
        data: Record([
          ("source", .string(name)), ("kind", .string(type(of: source).kind)),
          ("sections", .integer(0)), ("objects", .integer(0)), ("fetched", false),
        ]))
    }
    let origin = AnswerSummary(of: source)
    return Report(
      headline: "\(name): \(counts(of: store))\(origin?.text ?? "")",
      data: Record(
        [
          ("source", .string(name)), ("kind", .string(type(of: source).kind)),
          ("sections", .integer(store.numberOfSections)),
          ("objects", .integer(store.numberOfObjects)), ("fetched", true),
        ] + (origin?.facts ?? [])))
  }

  /// The name it is about to be bound to, else as ``displayName(of:)``.
  func nameToShow(of source: any DataSource) -> String {
    if boundName(of: source) == nil, let pendingName { return pendingName }
    return displayName(of: source)
  }

  func counts(of store: any SnapshotStore) -> String {
    counted(store.numberOfSections, "section") + ", " + counted(store.numberOfObjects, "object")
  }

  /// `sectioned over foods`; of sources that have other wrappers too, these: they share its fetches.
  private func wrapping(_ source: any DataSource) -> String {
    let children = source.children.map { child in
      let others = child.state.wrappers.filter { $0 !== source }.compactMap { boundName(of: $0) }
      let also = others.isEmpty ? "" : " (also wrapped by \(others.joined(separator: ", ")))"
      return displayName(of: child) + also
    }
    let kind = type(of: source).kind
    return children.isEmpty ? kind : "\(kind) over \(children.joined(separator: ", "))"
  }

  /// What a line that is an expression has to say.
  func output(of operand: Operand, at span: Span) -> Output {
    switch operand {
    case .none: Output.none
    case .value(let value):
      if case .record = value { Output(.object(value)) } else { Output(.value(value)) }
    case .objects(let listing): Output(.objects(listing))
    case .source(let source): Output(.report(status(of: source)))
    }
  }
}
