public import DataTables

/// What every source has, whatever its kind.
public final class SourceState {
  public internal(set) var name: String
  public weak var delegate: (any DataSourceDelegate)?
  /// nil before the first fetch, for sources that have no content at once.
  public internal(set) var snapshot: Snapshot?
  /// Why the last fetch failed; nil when it did not.
  public internal(set) var error: (any Error)?
  public internal(set) var isFetching = false
  /// What was heard in the last fetch, of this source and of all below it.
  public internal(set) var transcript: [TranscriptEntry] = []

  public init(name: String = "") { self.name = name }
}

/// One event in the transcript of a fetch.
public struct TranscriptEntry {
  public let source: any DataSource
  /// 0 for the source whose transcript it is, 1 for those it wraps.
  public let depth: Int
  public let event: SourceEvent
  /// The counts after a finished fetch.
  public let sections: Int
  public let objects: Int
}

/// One fetch, with all the sources it reaches: each is fetched at most once.
public final class Fetch {
  public let cancellation: Cancellation
  public init(cancellation: Cancellation = Cancellation()) { self.cancellation = cancellation }
}
