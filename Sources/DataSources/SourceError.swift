public import DataTables

/// Why a source could not answer or fetch. Facts only: names and what to type instead are added
/// above.
public enum SourceError: Error, Equatable, Sendable {
  /// The source has no content yet: it was never fetched with success.
  case notFetched
  /// `sections` is the number of sections there are.
  case sectionOutOfRange(Int, sections: Int)
  /// `rows` is the number of objects in the section, and `title` its title.
  case rowOutOfRange(IndexPath, rows: Int, title: Value)
  /// The index `titles` have another title at that place, or that title nowhere.
  case indexTitleNotFound(String, at: Int?, in: [String])
  /// What the source holds, or another does, stands against it: a fetch that would lose edits.
  case conflict(String)
  /// A server answered, but not with what was asked for; `excerpt` is the first line of what it said.
  case httpStatus(Int, request: String, excerpt: String?)
  /// There is no answer, or not all of it.
  case transport(TransportError, request: String)
  /// An answer came, but its body cannot be read as a table.
  case answer(TableError, request: String)
  /// What a file or a table said: a file that is not there, a key that no object has, a fetch that
  /// was cancelled.
  case data(TableError)

  /// What is wrong, in one clause that begins with a small letter.
  public var message: String {
    switch self {
    case .notFetched: "not fetched yet"
    case .sectionOutOfRange(let section, let sections):
      "section \(section) is out of range: there are \(sections) sections (0..<\(sections))"
    case .rowOutOfRange(let path, let rows, _):
      "row \(path.row) is out of range: section \(path.section) has \(rows) objects (0..<\(rows))"
    case .indexTitleNotFound(let title, let place, let titles):
      Self.message(indexTitle: title, at: place, in: titles)
    case .conflict(let what): what
    case .httpStatus(let status, let request, let excerpt):
      "\(request) returned \(HTTPStatus.phrase(status))"
        + (excerpt.map { ": \(Value.string($0).json)" } ?? "")
    case .transport(let error, let request): "\(request): \(error.message)"
    case .answer(let error, let request): "\(request): \(error.message)"
    case .data(let error): error.message
    }
  }

  private static func message(indexTitle title: String, at place: Int?, in titles: [String])
    -> String
  {
    let places = titles.indices.filter { titles[$0] == title }
    let elsewhere = places.prefix(8).map(String.init).joined(separator: ", ")
    let name = Value.string(title).json
    guard let place, !places.isEmpty else { return "no index title is \(name)" }
    guard titles.indices.contains(place) else {
      return
        "\(place) is out of range: there are \(titles.count) index titles (0..<\(titles.count))"
    }
    if titles[place] == title { return "there are no sections" }
    return "the index title at \(place) is \(Value.string(titles[place]).json); \(name) stands at "
      + elsewhere
  }

  /// Whether somebody stopped the fetch, and nothing is wrong.
  public var isCancelled: Bool { self == .data(.cancelled) }

  /// The facts in whatever was thrown.
  public init(_ error: any Error) {
    switch error {
    case let error as SourceError: self = error
    case let error as TableError: self = .data(error)
    case is CancellationError, TransportError.cancelled: self = .data(.cancelled)
    default: self = .data(.io("\(error)"))
    }
  }
}

extension SourceError {
  /// What went wrong with a request, without its secrets.
  init(_ error: TransportError, of request: TransportRequest) {
    if error == .cancelled {
      self = .data(.cancelled)
    } else {
      self = .transport(error.redacted(by: request), request: request.shown)
    }
  }
}

extension SourceError {
  /// What is wrong with the body of an answer, without the secrets of the request.
  init(_ error: TableError, of request: TransportRequest) {
    switch error {
    case .cancelled: self = .data(.cancelled)
    // Its words may be those of the body.
    case .format(let what, let place):
      self = .answer(.format(request.redacting(what), at: place), request: request.shown)
    default: self = .answer(error, request: request.shown)
    }
  }
}

extension TransportError {
  fileprivate func redacted(by request: TransportRequest) -> TransportError {
    switch self {
    case .badURL(let what): .badURL(request.redacting(what))
    case .network(let what, let isTransient):
      .network(request.redacting(what), isTransient: isTransient)
    case .timeout(let what, let seconds): .timeout(request.redacting(what), seconds: seconds)
    case .io(let what): .io(request.redacting(what))
    case .limit(let what, let setting): .limit(request.redacting(what), setting: setting)
    case .cassette(let what): .cassette(request.redacting(what))
    case .denied(let what): .denied(request.redacting(what))
    case .cancelled: self
    }
  }
}

extension Value {
  /// A string as it is, anything else as JSON.
  fileprivate var plainText: String { if case .string(let text) = self { text } else { json } }
}

extension SourceError: CustomStringConvertible {
  public var description: String { message }
}
