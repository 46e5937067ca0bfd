import DataSources
import DataTables

/// The labels of `remote`: what is asked of a server, and how the answer is read.
struct RemoteSettings: SourceSettings {
  static let labels =
    [
      Label("keyPath", "where in a JSON answer the objects are", example: "data.items"),
      Label("query", "parameters of the URL; a list repeats one", example: "{tag: [new, red]}"),
      Label(
        "headers", "env NAME is kept secret",
        example: "{X-Key: env API_KEY}"),
      Label(
        "placeholders", "rows for what is not there: loading noResults error",
        example: "loading, error", completion: .words(Placeholder.allCases.map(\.rawValue))),
    ] + LimitArguments.labels + ReadOptionArguments.labels

  private let reading: ReadOptionArguments
  private let limits: LimitArguments
  private let keyPath: Argument?
  private let query: Argument?
  private let headers: Argument?
  private let placeholders: [Argument]?

  init(parsing arguments: Arguments) throws {
    reading = try ReadOptionArguments(parsing: arguments)
    limits = try LimitArguments(parsing: arguments)
    keyPath = try arguments.label("keyPath")
    query = try arguments.label("query")
    headers = try arguments.label("headers")
    placeholders = arguments.groups("placeholders")?.flatMap { $0 }
  }

  func set(
    _ source: RemoteSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    let new = try await asked(changing: Asked(source), in: &session)
    new.set(source)
  }

  /// What all sources that ask a server have.
  struct Asked {
    var request: TransportRequest
    var options: ReadOptions
    var placeholders: Set<Placeholder>

    init(_ source: any RequestingSource) {
      request = source.request
      options = source.options
      placeholders = source.placeholders
    }

    init(url: String) {
      request = TransportRequest(url: url)
      options = ReadOptions()
      placeholders = []
    }

    func set(_ source: any RequestingSource) {
      source.request = request
      source.options = options
      source.placeholders = placeholders
    }
  }

  /// What is asked, where nothing is said as it was in `old`.
  func asked(changing old: Asked, in session: inout Session) async throws -> Asked {
    var asked = old
    if let query {
      asked.request.query =
        query.isNull ? [] : try await query.parameters("query", in: &session)
    }
    if let headers {
      asked.request.headers =
        headers.isNull ? [] : try await headers.parameters("headers", in: &session)
      for header in asked.request.headers where !header.isHeader {
        throw headers.error(
          .badArgument,
          "`\(header.name)` is no header: a name is letters, digits and `-`, a value one line")
      }
    }
    asked.request.limits = try limits.limits(changing: old.request.limits)
    asked.options = try await reading.options(changing: old.options, in: &session)
    if let keyPath {
      asked.options.keyPath =
        keyPath.isNull ? nil : try await keyPath.keyPath(in: &session).path
    }
    if let placeholders { asked.placeholders = try Self.placeholders(placeholders) }
    return asked
  }

  private static func placeholders(_ arguments: [Argument]) throws -> Set<Placeholder> {
    if arguments.count == 1, arguments[0].isNull { return [] }
    let known = Placeholder.allCases.map(\.rawValue)
    var placeholders: Set<Placeholder> = []
    for argument in arguments.flatMap({ $0.elements ?? [$0] }) {
      let word = try argument.choice(of: known, for: "placeholder")
      if let placeholder = Placeholder(rawValue: word) { placeholders.insert(placeholder) }
    }
    return placeholders
  }
}

extension RequestParameter {
  /// Whether it can stand in the head of a request.
  fileprivate var isHeader: Bool {
    let marks = "!#$%&'*+-.^_`|~"
    return !name.isEmpty
      && name.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
          || marks.unicodeScalars.contains($0)
      }
      && value.sent.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F || $0 == "\t" }
  }
}
