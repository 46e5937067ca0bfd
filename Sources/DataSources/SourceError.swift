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
    case is CancellationError: self = .data(.cancelled)
    default: self = .data(.io("\(error)"))
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
