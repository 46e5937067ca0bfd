import DataSources
import DataTables

// Errors of sources as diagnostics.
extension Session {
  func diagnostic(
    ofFetching source: any DataSource, _ error: SourceError, at span: Span
  ) -> Diagnostic {
    if error.isCancelled {
      let old = source.state.snapshot == nil ? "" : "; the old content is kept"
      return Diagnostic(
        .cancelled, "fetch of \(nameToShow(of: source)) was canceled\(old)", at: span)
    }
    var diagnostic = Diagnostic(facts: error)
    diagnostic.message = message(of: error, fetching: source)
    diagnostic.place = span.place
    return diagnostic
  }

  /// The message of a failed fetch. For an unknown key, the message names the source that lacks it.
  func message(of error: SourceError, fetching source: any DataSource) -> String {
    // The first source that failed caused the error; the others only pass it on.
    let entry = source.transcript.first { entry in
      if case .failed = entry.event { true } else { false }
    }
    let failed = entry?.source ?? source
    switch error {
    case .data(.unknownKey(let key, _)):
      return "\(displayName(of: failed.children.first ?? source)) has no key \(UnknownKey(key))"
    case .conflict(let change):
      let name = displayName(of: failed)
      return "\(name) was edited, and \(change) (`diff \(name) file: true` shows both; "
        + "`fetch \(name) keep: true` or `discard: true` settles it)"
    case .data(.sortMismatch):
      return error.message + ((failed as? SectionedSource).map { "; " + orderFix(for: $0) } ?? "")
    default: return error.message
    }
  }

  /// An error in reading a source, with a location; if the data has changed, also with a fix.
  func diagnostic(of error: any Error, of source: any DataSource, at span: Span) -> Diagnostic {
    var diagnostic = Diagnostic(facts: error)
    guard diagnostic.place == nil else { return diagnostic }
    diagnostic.place = span.place
    if diagnostic.kind == .changed, let name = boundName(of: source) {
      diagnostic.message += " (fetch \(name))"
    }
    return diagnostic
  }

  /// An error of a command, with a location. The default location is the first argument if it names
  /// a source, else the verb.
  func diagnostic(of error: any Error, in stage: Stage) -> Diagnostic {
    if let atom = stage.atoms.first, case .word(let name) = atom.kind,
      case .source(let source)? = names[name]
    {
      return diagnostic(of: error, of: source, at: atom.span)
    }
    if let atom = stage.atoms.first, case .word(let name) = atom.kind, isTablePath(name) {
      var diagnostic = Diagnostic(facts: error)
      if diagnostic.place == nil { diagnostic.place = atom.span.place }
      if diagnostic.kind == .changed { diagnostic.message += " (fetch \(name))" }
      return diagnostic
    }
    guard let lastSource else {
      var diagnostic = Diagnostic(facts: error)
      if diagnostic.place == nil { diagnostic.place = stage.verb.span.place }
      return diagnostic
    }
    return diagnostic(of: error, of: lastSource, at: stage.verb.span)
  }

  /// An error in reading the objects of a result while the result is rendered.
  package func diagnostic(ofRendering error: any Error) -> Diagnostic {
    if let stage = execution.runningStage { return diagnostic(of: error, in: stage) }
    var diagnostic = Diagnostic(facts: error)
    if diagnostic.kind == .changed, let name = lastSource.flatMap(boundName) {
      diagnostic.message += " (fetch \(name))"
    }
    return diagnostic
  }
}
