import DataSources
import DataTables

// What a fetch or a look says of the sources that are wrapped by others.
extension Session {
  /// A warning for each source that wraps what was fetched and could not be brought up to date.
  func staleFollowers(of source: any DataSource) -> [String] {
    source.followers.compactMap { follower in
      guard let error = follower.state.error else { return nil }
      let old = follower.state.snapshot == nil ? "" : "; it shows its old content"
      return "\(displayName(of: follower)) could not follow: "
        + message(of: error, fetching: follower) + old
    }
  }

  /// What is wrong with a fetch; a key that is unknown is missing in a source that has a name.
  func message(of error: SourceError, fetching source: any DataSource) -> String {
    // The first that failed is the one whose error it is; the others only pass it on.
    let entry = source.transcript.first { entry in
      if case .failed = entry.event { true } else { false }
    }
    let failed = entry?.source ?? source
    switch error {
    case .data(.unknownKey(let key, _)):
      return "\(displayName(of: failed.children.first ?? source)) has no key \(UnknownKey(key))"
    case .conflict(let what):
      return "\(displayName(of: failed)) was edited: \(what) (fetch … discard: true)"
    case .data(.sortMismatch):
      return error.message + ((failed as? SectionedSource).map { "; " + mend(of: $0) } ?? "")
    default: return error.message
    }
  }

  /// An error of looking at a source, under its name and with its mend.
  func diagnostic(of error: any Error, of source: any DataSource, at span: Span) -> Diagnostic {
    var diagnostic = Diagnostic(facts: error)
    guard diagnostic.place == nil else { return diagnostic }
    diagnostic.place = span.place
    if diagnostic.kind == .changed, let name = boundName(of: source) {
      diagnostic.message += " (fetch \(name))"
    }
    return diagnostic
  }

  /// An error that came while the objects of a result were read to be shown.
  package func diagnosticOfShowing(_ error: any Error) -> Diagnostic {
    var diagnostic = Diagnostic(facts: error)
    if diagnostic.kind == .changed, let name = lastSource.flatMap(boundName) {
      diagnostic.message += " (fetch \(name))"
    }
    return diagnostic
  }
}
