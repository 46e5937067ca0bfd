package import DataSources
import DataTables

// Events of fetches as `events` and `trace` show them.
extension EventLine {
  package init(_ entry: TranscriptEntry, in session: Session) {
    self.init(entry) { session.displayName(of: $0) }
  }

  /// - Parameter name: returns the name of a source.
  package init(_ entry: TranscriptEntry, naming name: (any DataSource) -> String) {
    let source = name(entry.source)
    let failures = entry.failures.map { $0.text(below: entry.source, name) }
    var child: Value = .null
    var bytes: Int?
    var error: SourceError?
    let detail: String
    switch entry.event {
    case .will, .changes: detail = ""
    case .partial(nil): detail = ""
    case .partial(.bytes(let count)?):
      bytes = count
      detail = byteCount(count)
    case .partial(.child(let outcome)?):
      child = .string(outcome.name(below: entry.source, name))
      error = outcome.error
      detail = outcome.text(below: entry.source, name)
    case .finished:
      let counts = counted(entry.sections, "section") + ", " + counted(entry.objects, "object")
      detail = ([counts] + failures).joined(separator: "; ")
    case .failed(let failure):
      error = failure
      detail = failure.eventDetail
    }
    let isFinished = if case .finished = entry.event { true } else { false }
    let record = Record([
      ("source", .string(source)), ("event", .string(entry.event.name)),
      ("sections", isFinished ? .integer(entry.sections) : .null),
      ("objects", isFinished ? .integer(entry.objects) : .null),
      ("kind", error.map { .string($0.kind.rawValue) } ?? .null),
      ("error", error.map { .string($0.message) } ?? .null), ("child", child),
      ("bytes", bytes.map { .integer($0) } ?? .null),
      ("failures", .array(failures.map(Value.string))),
    ])
    self.init(
      source: source, depth: entry.depth, event: entry.event.name, detail: detail, record: record)
  }

  package init(_ page: TranscriptPage, in session: Session) {
    let source = session.displayName(of: page.source)
    let (first, last) = (page.read.first, page.read.last)
    self.init(
      source: source, depth: page.depth, event: "page",
      detail: "\(first) to \(last), \(counted(page.read.objects, "object"))",
      record: Record([
        ("source", .string(source)), ("event", "page"),
        ("objects", .integer(page.read.objects)), ("failures", .array([])),
        ("from", .array([.integer(first.section), .integer(first.row)])),
        ("to", .array([.integer(last.section), .integer(last.row)])),
      ]))
  }
}

extension SourceError {
  /// `httpStatus 404`, `io: cannot open …`, `cancelled`.
  fileprivate var eventDetail: String {
    switch self {
    case .httpStatus(let status, _, _, _, _): "\(kind.rawValue) \(status)"
    case _ where isCancelled: kind.rawValue
    default: "\(kind.rawValue): \(message)"
    }
  }
}

extension Session {
  /// Writes the events of a fetch as they happen; nil when `trace` is off or nothing reads them.
  var eventListener: ((TranscriptEntry) -> Void)? {
    guard options.traces, let write = options.traceWriter else { return nil }
    let session = self
    return { write(EventLine($0, in: session), session.options) }
  }

  /// A warning for each child whose fetch failed although the fetch of `source` succeeded.
  func childWarnings(of source: any DataSource) -> [String] {
    (source.state.snapshot?.failures ?? []).map {
      "\($0.text(below: source) { displayName(of: $0) }); it shows its old content"
    }
  }
}

extension ChildOutcome {
  fileprivate func name(
    below source: any DataSource, _ name: (any DataSource) -> String
  ) -> String {
    let children = source.children
    return children.indices.contains(index) ? name(children[index]) : self.name
  }

  /// `pies`, or `pies failed, io: …`.
  fileprivate func text(
    below source: any DataSource, _ name: (any DataSource) -> String
  ) -> String {
    let child = self.name(below: source, name)
    return error.map { "\(child) failed, \($0.kind.rawValue): \($0.message)" } ?? child
  }
}
