import DSInterpreter
import DataSources

/// Which fetches and edits of which sources were looked at.
struct FetchLog {
  private var seen: [ObjectIdentifier: Seen] = [:]
  /// The contents of larger sources are looked at in samples.
  static let mostObjects = 10_000

  /// What ``Session/traceOfRounds`` was: most commands fetch nothing.
  private var lastTrace = 0

  private struct Seen {
    weak var source: (any DataSource)?
    let changes: Int
  }

  /// What should hold of the sources that were fetched or edited since it was last asked, and does not.
  mutating func brokenInvariants(in session: Session) async -> [String] {
    let trace = session.traceOfRounds
    if trace == lastTrace { return [] }
    lastTrace = trace
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

extension Session {
  /// Another number whenever a source that has a name was fetched or edited.
  fileprivate var traceOfRounds: Int {
    var trace = 1
    for binding in bindings { trace = Self.add(binding.value, to: trace) }
    return Self.add(last, to: trace)
  }

  private static func add(_ operand: Operand, to trace: Int) -> Int {
    guard case .source(let source) = operand else { return trace &* 31 }
    let place = Int(bitPattern: ObjectIdentifier(source))
    return (trace &* 31 &+ place) &* 31 &+ source.state.endedRounds
  }
}
