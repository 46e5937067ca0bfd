import DSInterpreter
import DataSources

/// The fetches and edits whose invariants have been checked.
struct FetchLog {
  private var seen: [ObjectIdentifier: Seen] = [:]
  /// The maximum number of objects of a source that is checked in full; larger sources are sampled.
  static let maximumObjects = 10_000

  /// The last value of ``Session/fetchFingerprint``, initially 0. Most commands fetch and edit
  /// nothing and leave it unchanged.
  private var lastFingerprint = 0

  private struct Seen {
    weak var source: (any DataSource)?
    let changes: Int
  }

  /// Whether a source was fetched or edited since the last call.
  mutating func hasNewFetches(of session: Session) -> Bool {
    let fingerprint = session.fetchFingerprint
    defer { lastFingerprint = fingerprint }
    return fingerprint != lastFingerprint
  }

  /// Violated invariants of the sources that were fetched or edited since the last call.
  mutating func brokenInvariants(in session: Session) async -> [String] {
    var broken: [String] = []
    for source in session.reachableSources where isNew(source) {
      // A source whose file has changed cannot be read; that is not a violation.
      let faults = try? await UnobservedReads.run {
        try await source.brokenInvariants(readingAtMost: Self.maximumObjects)
      }
      broken += (faults ?? []).map { "\(session.displayName(of: source)): \($0)" }
    }
    return broken
  }

  private mutating func isNew(_ source: any DataSource) -> Bool {
    let key = ObjectIdentifier(source)
    let changes = source.state.endedRounds
    if let known = seen[key], known.source === source, known.changes == changes { return false }
    seen[key] = Seen(source: source, changes: changes)
    return changes > 0
  }
}
