import DSInterpreter
import DataSources

/// Which fetches and edits of which sources were looked at.
struct FetchLog {
  private var seen: [ObjectIdentifier: Seen] = [:]
  /// The contents of larger sources are looked at in samples.
  static let mostObjects = 10_000

  /// What ``Session/fetchFingerprint`` was, which begins at 0: most commands fetch nothing.
  private var lastTrace = 0

  private struct Seen {
    weak var source: (any DataSource)?
    let changes: Int
  }

  /// Whether anything was fetched or edited since it was last asked.
  mutating func hasNews(of session: Session) -> Bool {
    let trace = session.fetchFingerprint
    defer { lastTrace = trace }
    return trace != lastTrace
  }

  /// What should hold of the sources that were fetched or edited since it was last asked, and does not.
  mutating func brokenInvariants(in session: Session) async -> [String] {
    var broken: [String] = []
    for source in session.reachableSources where isNew(source) {
      // What cannot be read, because its file was changed, is no fault of the source.
      let faults = try? await source.brokenInvariants(readingAtMost: Self.mostObjects)
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
