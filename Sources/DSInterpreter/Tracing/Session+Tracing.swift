import DataSources

extension Session {
  /// What a fetch tells its events to as they happen; nil when `trace` is off or nobody reads them.
  var eventListener: ((TranscriptEntry) -> Void)? {
    guard options.traces, let write = options.traceWriter else { return nil }
    let session = self
    return { write(EventLine($0, in: session), session.options) }
  }
}
