package import DataSources
public import DataTables

/// One event of a fetch, as `events` and `trace` show it.
public struct EventLine: Sendable {
  /// The name of the source.
  public let source: String
  /// How many wrappings lie above the source.
  public let depth: Int
  /// `will`, `partial`, `finished`, `failed`.
  public let event: String
  /// `1 section, 12 objects`; of a partial the source that answered or the
  /// bytes so far; of a failure why.
  public let detail: String
  /// The same for programs.
  public let record: Record

  package init(_ entry: TranscriptEntry, in session: Session) {
    source = session.displayName(of: entry.source)
    depth = entry.depth
    event = entry.event.name
    let failures = entry.failures.map { session.name(of: $0, below: entry.source) }
    var child: Value = .null
    var bytes: Int?
    var error: SourceError?
    switch entry.event {
    case .will, .changes: detail = ""
    case .partial(nil): detail = ""
    case .partial(.bytes(let count)?):
      bytes = count
      detail = byteCount(count)
    case .partial(.child(let answer)?):
      child = .string(session.childName(of: answer, below: entry.source))
      error = answer.error
      detail = session.name(of: answer, below: entry.source)
    case .finished:
      let counts = counted(entry.sections, "section") + ", " + counted(entry.objects, "object")
      detail = ([counts] + failures).joined(separator: "; ")
    case .failed(let failure):
      error = failure
      detail = failure.eventDetail
    }
    let isFinished = if case .finished = entry.event { true } else { false }
    record = Record([
      ("source", .string(source)), ("event", .string(event)),
      ("sections", isFinished ? .integer(entry.sections) : .null),
      ("objects", isFinished ? .integer(entry.objects) : .null),
      ("kind", error.map { .string($0.kind.rawValue) } ?? .null),
      ("error", error.map { .string($0.message) } ?? .null), ("child", child),
      ("bytes", bytes.map { .integer($0) } ?? .null),
      ("failures", .array(failures.map(Value.string))),
    ])
  }

  /// The name with the indentation of its depth; deep wrappings stay within a line.
  public var indentedSource: String {
    String(repeating: "  ", count: min(max(depth, 0), 16)) + source
  }

  /// `letters  finished  8 sections, 12 objects`, indented.
  public var text: String {
    ([indentedSource, event] + (detail.isEmpty ? [] : [detail])).joined(separator: "  ")
  }
}

extension SourceError {
  /// `httpStatus 404`, `io: cannot open …`, `cancelled`.
  fileprivate var eventDetail: String {
    switch self {
    case .httpStatus(let status, _, _): "\(kind.rawValue) \(status)"
    case _ where isCancelled: kind.rawValue
    default: "\(kind.rawValue): \(message)"
    }
  }
}

extension Session {
  /// The children of a source that failed while it did not.
  func failures(in source: any DataSource) -> [String] {
    (source.state.snapshot?.failures ?? []).map {
      "\(name(of: $0, below: source)); it shows what it had before"
    }
  }

  fileprivate func childName(of answer: ChildOutcome, below source: any DataSource) -> String {
    let children = source.children
    return children.indices.contains(answer.index)
      ? displayName(of: children[answer.index]) : answer.name
  }

  /// `pies`, or `pies failed, io: …`.
  fileprivate func name(of answer: ChildOutcome, below source: any DataSource) -> String {
    let name = childName(of: answer, below: source)
    return answer.error.map { "\(name) failed, \($0.kind.rawValue): \($0.message)" } ?? name
  }
}
