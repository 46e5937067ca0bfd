package import DataSources
import DataTables
import Databases

// One line about a source.
extension Session {
  /// The state of a source, as `fetch` shows it: its counts, or the command that fetches it.
  package func status(of source: any DataSource) -> Report {
    let name = nameToShow(of: source)
    guard let store = source.state.snapshot?.store else {
      let fetch = pendingName ?? boundName(of: source)
      let hint = fetch.map { " (fetch \($0))" } ?? ""
      return Report(
        headline: "\(name): \(wrappingSummary(of: source)), not fetched yet\(hint)",
        data: Record([
          ("source", .string(name)), ("kind", .string(type(of: source).kind)),
          ("sections", .integer(0)), ("objects", .integer(0)), ("fetched", false),
        ]))
    }
    let origin = ResponseSummary(of: source)
    let isCached = source.state.snapshot?.isFromCache ?? false
    return Report(
      headline: "\(name): \(counts(of: store))\(origin?.text ?? "")"
        + (isCached ? ", from the cache" : "")
        + (note(onEarlierContentOf: source).map { ", \($0)" } ?? "")
        + (note(onOutdatedContentOf: source).map { ", \($0)" } ?? ""),
      data: Record(
        [
          ("source", .string(name)), ("kind", .string(type(of: source).kind)),
          ("sections", .integer(store.numberOfSections)),
          ("objects", .integer(store.numberOfObjects)), ("fetched", true),
        ] + (isCached ? [("cached", true)] : []) + (origin?.facts ?? [])
          + earlierContent(of: source)
          + ((source as? StaleSource)?.isOutdated == true ? [("outdated", true)] : [])))
  }

  func counts(of store: any SnapshotStore) -> String {
    counted(store.numberOfSections, "section") + ", " + counted(store.numberOfObjects, "object")
  }

  /// `sectioned over foods (also wrapped by kinds)`: a fetch of the source also fetches `foods`,
  /// which may update the other wrappers.
  private func wrappingSummary(of source: any DataSource) -> String {
    let children = source.children.map { child in
      let others = child.state.wrappers.filter { $0 !== source }.compactMap { boundName(of: $0) }
      let also = others.isEmpty ? "" : " (also wrapped by \(others.joined(separator: ", ")))"
      return displayName(of: child) + also
    }
    let kind = type(of: source).kind
    return children.isEmpty ? kind : "\(kind) over \(children.joined(separator: ", "))"
  }

  /// The output of a line that is an expression.
  func output(of operand: Operand, at span: Span) -> Output {
    switch operand {
    case .none: Output.none
    case .value(let value):
      if case .record = value { Output(.object(value)) } else { Output(.value(value)) }
    case .objects(let listing): Output(.objects(listing))
    case .source(let source): Output(.report(status(of: source)))
    case .database(let database):
      Output(.value(.string(database.database.connection.address.description)))
    }
  }
}

/// A summary of the responses that contained the objects of a source.
private struct ResponseSummary {
  /// `, JSON, 41 kB, page 2 of 5`
  let text: String
  /// The facts in `text`, for programs.
  let facts: [(String, Value)]

  /// nil for a source that sends no requests or has not received a response.
  init?(of source: any DataSource) {
    guard let source = source as? any RequestingSource, let report = source.report,
      let bytes = source.numberOfBytes
    else { return nil }
    var text = ", \(report.format), \(byteCount(bytes))"
    var facts: [(String, Value)] = [("format", .string(report.format)), ("bytes", .integer(bytes))]
    if let source = source as? PaginatedSource, let page = source.currentPage {
      if let pages = source.numberOfPages {
        text += ", page \(source.pagePosition ?? page) of \(pages)"
      } else {
        text += ", page \(page), \(source.hasMorePages ? "more to come" : "the last")"
      }
      facts += [("page", .integer(page)), ("hasMorePages", .bool(source.hasMorePages))]
    }
    self.text = text
    self.facts = facts
  }
}
