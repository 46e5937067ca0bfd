public import DataTables

/// An error of reading or fetching a source. It contains only facts: the layers above add names and
/// suggestions.
public enum SourceError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The source has no content because no fetch has succeeded yet.
  case notFetched
  /// `sections` is the number of sections.
  case sectionOutOfRange(Int, sections: Int)
  /// `rows` is the number of objects in the section, and `title` its title.
  case rowOutOfRange(IndexPath, rows: Int, title: Value)
  /// A place for an object; `places` is the number of objects of the section plus one.
  case placeOutOfRange(IndexPath, places: Int)
  /// A place for a section; `places` is the number of sections plus one.
  case sectionPlaceOutOfRange(Int, places: Int)
  /// The section is one of several of a child (its position), which can be removed or moved as a whole
  /// only.
  case sectionOfChild(Int, child: Int, sections: Range<Int>)
  /// The place of a section is between two sections of a child (its position).
  case placeInChild(Int, child: Int, sections: Range<Int>)
  /// A content that is not among the `kept` ones of the source.
  case contentOutOfRange(Int, kept: [Int])
  /// The source shows an earlier content than its `current` one, so that index paths are those of other
  /// objects.
  case earlierContent(Int, current: Int)
  /// The index titles (`in`) do not contain the title or have another title at the position (`at`),
  /// or no sections exist.
  case indexTitleNotFound(String, at: Int?, in: [String])
  /// The state of a source prevents the operation: for example, a fetch would lose its edits.
  case conflict(String)
  /// A non-2xx response; `excerpt` is the first line of its body, `wait` what the server asks for, and
  /// `pages` the number of pages that were fetched before a page that was not found.
  case httpStatus(
    Int, request: String, excerpt: String?, wait: RequestedWait? = nil, pages: Int? = nil)
  /// The response is missing or incomplete.
  case transport(TransportError, request: String)
  /// The body of the response cannot be read as a table.
  case response(TableError, request: String)
  /// A failure that was requested, for a lesson or a test; the value is the whole message.
  case fault(String)
  /// An error of a database.
  case database(DatabaseError)
  /// An error of a file or a table, such as a missing file, a key that no object has or a canceled
  /// fetch.
  case data(TableError)

  /// The error in one clause that begins with a lowercase letter.
  public var message: String {
    switch self {
    case .notFetched: "not fetched yet"
    case .sectionOutOfRange(let section, let sections):
      sections == 1
        ? "section \(section) is out of range: there is 1 section (0..<1)"
        : "section \(section) is out of range: there are \(sections) sections (0..<\(sections))"
    case .rowOutOfRange(let path, let rows, _):
      "row \(path.row) is out of range: section \(path.section) has \(rows.counted("object")) "
        + "(0..<\(rows))"
    case .placeOutOfRange(let path, let places):
      "row \(path.row) is out of range: in section \(path.section), the places are 0..<\(places)"
    case .sectionPlaceOutOfRange(let section, let places):
      "section \(section) is out of range: the places of sections are 0..<\(places)"
    case .sectionOfChild(let section, let child, let sections):
      "section \(section) is one of the sections \(sections) of source \(child)"
    case .placeInChild(let section, let child, let sections):
      "section \(section) is within the sections \(sections) of source \(child)"
    case .contentOutOfRange(let number, let kept):
      "content \(number) is out of range: \(Self.list(kept)) kept"
    case .earlierContent(let number, let current):
      "the source shows content \(number); the current content is \(current)"
    case .indexTitleNotFound(let title, let position, let titles):
      Self.message(indexTitle: title, at: position, in: titles)
    case .conflict(let reason), .fault(let reason): reason
    case .httpStatus(let status, let request, let excerpt, let wait, let pages):
      "\(request) returned \(HTTPStatus.phrase(status))"
        + (excerpt.map { ": \(Value.string($0).json)" } ?? "") + (wait?.message ?? "")
        + (pages.map(Self.hint(afterPages:)) ?? "")
    case .transport(let error, let request): "\(request): \(error.message)"
    case .response(let error, let request): "\(request): \(error.message)"
    case .database(let error): error.message + (error.code.isEmpty ? "" : " (\(error.code))")
    case .data(let error): error.message
    }
  }

  public var description: String { message }

  /// `contents 3 to 12 are`, `contents 1, 3, 4 are`
  private static func list(_ numbers: [Int]) -> String {
    guard let first = numbers.first, let last = numbers.last, first < last else {
      return "only content \(numbers.first ?? 0) is"
    }
    return last - first == numbers.count - 1 && numbers.count > 2
      ? "contents \(first) to \(last) are"
      : "contents \(numbers.map(String.init).joined(separator: ", ")) are"
  }

  private static func hint(afterPages pages: Int) -> String {
    "; if the server ends after \(pages.counted("page")), `totalKey:` or `numberOfPagesKey:` is the "
      + "key path of its total in a response"
  }

  private static func message(
    indexTitle title: String, at position: Int?, in titles: [String]
  ) -> String {
    let name = Value.string(title).json
    let positions = titles.indices.filter { titles[$0] == title }
    guard let position, !positions.isEmpty else { return "no index title \(name) exists" }
    guard titles.indices.contains(position) else {
      return "\(position) is out of range: "
        + "there are \(titles.count) index titles (0..<\(titles.count))"
    }
    if titles[position] == title { return "no section exists for the index title \(name)" }
    let other = Value.string(titles[position]).json
    let list = positions.prefix(8).map(String.init).joined(separator: ", ")
    return "the index title at \(position) is \(other); \(name) is at \(list)"
  }

  /// Whether the operation was canceled rather than failed.
  public var isCancelled: Bool { self == .data(.cancelled) }

  /// Converts any thrown error; an unknown one becomes `io` with its description.
  public init(_ error: any Error) {
    switch error {
    case let error as SourceError: self = error
    case let error as TableError: self = .data(error)
    case let error as DatabaseError where error.kind == .changed && error.leftovers.isEmpty:
      self = .data(.changed(error.message))
    case let error as DatabaseError: self = .database(error)
    case is CancellationError, TransportError.cancelled: self = .data(.cancelled)
    default: self = .data(.io("\(error)"))
    }
  }
}

extension SourceError {
  /// The error of a failed request, without the secrets of the request.
  init(_ error: TransportError, of request: TransportRequest) {
    if error == .cancelled {
      self = .data(.cancelled)
    } else {
      self = .transport(error.redacted(by: request), request: request.shown)
    }
  }

  /// The error of an unreadable response body, without the secrets of the request.
  init(_ error: TableError, of request: TransportRequest) {
    switch error {
    case .cancelled: self = .data(.cancelled)
    // The message may quote the body.
    case .format(let message, let place):
      self = .response(.format(request.redacting(message), at: place), request: request.shown)
    default: self = .response(error, request: request.shown)
    }
  }
}

extension TransportError {
  fileprivate func redacted(by request: TransportRequest) -> TransportError {
    switch self {
    case .badURL(let message): .badURL(request.redacting(message))
    case .network(let message, let isTransient):
      .network(request.redacting(message), isTransient: isTransient)
    case .timeout(let message, let seconds): .timeout(request.redacting(message), seconds: seconds)
    case .io(let message): .io(request.redacting(message))
    case .limit(let message, let setting): .limit(request.redacting(message), setting: setting)
    case .cassette(let message): .cassette(request.redacting(message))
    case .denied(let message): .denied(request.redacting(message))
    case .cancelled: self
    }
  }
}
