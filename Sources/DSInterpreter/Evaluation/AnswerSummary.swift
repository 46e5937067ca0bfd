import DataSources
import DataTables

/// What is told of the answers that the objects of a source came in.
struct AnswerSummary {
  /// `, JSON, 41 kB, page 2 of 5`
  let text: String
  /// The same for programs.
  let facts: [(String, Value)]

  /// nil for a source that asks no server, or had no answer.
  init?(of source: any DataSource) {
    guard let source = source as? any RequestingSource, let report = source.report,
      let bytes = source.numberOfBytes
    else { return nil }
    var text = ", \(report.format), \(byteCount(bytes))"
    var facts: [(String, Value)] = [("format", .string(report.format)), ("bytes", .integer(bytes))]
    if let source = source as? PaginatedSource, let page = source.currentPage {
      if let pages = source.numberOfPages {
        text += ", page \(page) of \(pages)"
      } else {
        text += ", page \(page), \(source.hasMorePages ? "more to come" : "the last")"
      }
      facts += [("page", .integer(page)), ("hasMorePages", .bool(source.hasMorePages))]
    }
    self.text = text
    self.facts = facts
  }
}
