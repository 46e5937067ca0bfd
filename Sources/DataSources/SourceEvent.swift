/// One event in the transcript of a fetch.
public struct TranscriptEntry {
  public let source: any DataSource
  /// 0 for the source whose transcript it is, 1 for those it wraps.
  public let depth: Int
  public let event: SourceEvent
  /// The counts after a finished fetch, 0 with other events.
  public let sections: Int
  public let objects: Int
  /// Of a finished fetch, the children that failed and show their old content.
  public let failures: [ChildOutcome]
}

extension DataSource {
  /// What was heard in the last fetch, of this source and of all below it, in order; empty before
  /// the first.
  ///
  /// When a source below reloads on its own, its events stand before those of this one.
  public var transcript: [TranscriptEntry] {
    let depths = SourceGraph.depths(below: self)
    return (state.heard?.entries ?? []).compactMap { entry in
      guard let source = entry.source.source, let depth = depths[ObjectIdentifier(source)] else {
        return nil
      }
      return TranscriptEntry(
        source: source, depth: depth, event: entry.event, sections: entry.sections,
        objects: entry.objects, failures: entry.failures)
    }
  }
}
