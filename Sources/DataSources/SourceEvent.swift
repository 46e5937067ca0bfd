/// An event of a fetch or an edit.
///
/// A fetch reports `will`, any number of `partial` events, and `finished` or `failed`. An edit
/// reports `will`, `changes` and `finished`, or `will` and `failed`.
public enum SourceEvent: Sendable {
  case will
  /// A part of the content has arrived. The value is nil if no details are known, or when the
  /// source starts to wait for a server.
  case partial(Part?)
  /// The content was edited; ``DataSource/changes(cancellation:)`` returns the changes.
  case changes
  case finished
  case failed(SourceError)

  /// A part of a fetch.
  public enum Part: Equatable, Sendable {
    /// The fetch of one of several children ended.
    case child(ChildOutcome)
    /// The number of bytes received so far in all responses of the fetch. Reported at intervals,
    /// and only for slow, large responses.
    case bytes(Int)
  }

  /// `will`, `partial`, `changes`, `finished`, `failed`.
  public var name: String {
    switch self {
    case .will: "will"
    case .partial: "partial"
    case .changes: "changes"
    case .finished: "finished"
    case .failed: "failed"
    }
  }
}

/// Receives the events of a source, in its isolation.
public protocol DataSourceDelegate: AnyObject {
  /// Called after the state of `source` has changed: the source has its new content on `finished`
  /// and its error on `failed`.
  func dataSource(_ source: any DataSource, did event: SourceEvent)
}

/// One event in the transcript of a fetch.
public struct TranscriptEntry {
  public let source: any DataSource
  /// 0 for the source that owns the transcript, 1 for its children.
  public let depth: Int
  public let event: SourceEvent
  /// Number of sections after a finished fetch; 0 for other events.
  public let sections: Int
  /// Number of objects after a finished fetch; 0 for other events.
  public let objects: Int
  /// The children that failed in a finished fetch and kept their old content.
  public let failures: [ChildOutcome]
  public let time: ContinuousClock.Instant
}

extension TranscriptEntry {
  /// An event that a source reports now, to its delegate or a listener.
  package init(_ event: SourceEvent, of source: any DataSource) {
    let isFinished = if case .finished = event { true } else { false }
    self.init(
      source: source, depth: 0, event: event,
      sections: isFinished ? source.numberOfSections : 0,
      objects: isFinished ? source.numberOfObjects : 0,
      failures: isFinished ? source.state.snapshot?.failures ?? [] : [], time: .now)
  }
}

/// A page that was read from a database for the content of a source.
public struct TranscriptPage {
  public let source: any DataSource
  /// 0 for the source that owns the transcript, 1 for its children.
  public let depth: Int
  public let read: PageRead
}

extension DataSource {
  /// The events of this source and all sources below it in the last fetch or edit, in order; empty
  /// before the first one.
  ///
  /// If that fetch or edit started at a source below, the events of the source below come first.
  public var transcript: [TranscriptEntry] {
    let depths = SourceGraph.depths(below: self)
    return (state.eventLog?.entries ?? []).compactMap { entry in
      guard let source = entry.source.source, let depth = depths[ObjectIdentifier(source)] else {
        return nil
      }
      return TranscriptEntry(
        source: source, depth: depth, event: entry.event, sections: entry.sections,
        objects: entry.objects, failures: entry.failures, time: entry.time)
    }
  }

  /// The pages that were read from databases since the last fetch began, for the contents of this
  /// source and all sources below it, in order; of each content the last 1,000.
  ///
  /// They are not events that delegates receive: a content is read without its source.
  public var transcriptPages: [TranscriptPage] {
    let start = state.eventLog?.entries.first?.time
    let depths = SourceGraph.depths(below: self)
    return SourceGraph.sources(below: self).flatMap { source in
      let reads = source.state.snapshot?.computation?.reads ?? []
      let depth = depths[ObjectIdentifier(source)] ?? 0
      return reads.compactMap { (read) -> TranscriptPage? in
        if let start, read.time < start { return nil }
        return TranscriptPage(source: source, depth: depth, read: read)
      }
    }.sorted { $0.read.time < $1.read.time }
  }
}

extension Snapshot {
  /// How an engine computed the content, or the rows that the shell computed it from; nil without
  /// an engine.
  package var computation: StoreComputation? { store.computation ?? shortfall?.computation }
}
