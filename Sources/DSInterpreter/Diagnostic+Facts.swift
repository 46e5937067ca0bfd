import DataSources
import DataTables

extension Diagnostic {
  /// The kind and message of an error from below, which knows no place.
  package init(facts error: any Error) {
    switch error {
    case let diagnostic as Diagnostic: self = diagnostic
    default:
      let error = SourceError(error)
      self.init(error.kind, error.message)
      if case .data(.unknownKey(let key, let known)) = error {
        suggestion = Suggestion.nearest(to: key, among: known)
      }
    }
  }
}

extension SourceError {
  var kind: ErrorKind {
    switch self {
    case .notFetched: .notFetched
    case .sectionOutOfRange, .rowOutOfRange: .outOfRange
    case .indexTitleNotFound: .notFound
    case .conflict: .conflict
    case .httpStatus: .httpStatus
    case .transport(let error, _): error.kind
    case .answer(let error, _), .data(let error): error.kind
    }
  }
}

extension TransportError {
  var kind: ErrorKind {
    switch self {
    case .badURL: .badArgument
    case .network: .network
    case .timeout: .timeout
    case .io: .io
    case .limit: .limit
    case .cassette: .cassette
    case .denied: .denied
    case .cancelled: .cancelled
    }
  }
}

extension TableError {
  var kind: ErrorKind {
    switch self {
    case .format: .format
    case .encoding: .encoding
    case .limit: .limit
    case .changed: .changed
    case .io: .io
    case .unknownKey: .unknownKey
    case .badArgument: .badArgument
    case .sortMismatch: .sortMismatch
    case .cancelled: .cancelled
    }
  }
}
