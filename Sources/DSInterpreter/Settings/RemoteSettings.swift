import DataSources
import DataTables

/// The labels of `remote`: the request, and how the response is read.
struct RemoteSettings: SourceSettings {
  private static let query = Label(
    "query", .record(of: .value), "parameters of the URL; a list repeats a parameter",
    example: "{tag: [new, red]}")
  private static let headers = Label(
    "headers", .record(of: .value), "request headers; env NAME stays secret",
    example: "{X-Key: env API_KEY}")
  private static let method = Label(
    "method", .choice(Choices("method", RequestMethod.self, default: .get)), example: "POST")
  private static let body = Label(
    "body", .value, "object sent as JSON, or a string; env NAME stays secret",
    example: "{kind: fruit}")
  private static let placeholders = Label(
    "placeholders", .list(.choice(Choices("placeholder", Placeholder.self))),
    "rows shown for missing content: loading noResults error", example: "loading, error")
  static let labels =
    ReadSettings.rows.map(\.label) + requestLabels + ReadSettings.others.map(\.label)
  /// The labels that `load` has only for URLs.
  static let requestLabels =
    [query, headers, method, body, placeholders] + IdentitySettings.all.map(\.label)
    + TransferSettings.all.map(\.label)

  private let reading: GivenSettings<ReadOptions>
  private let transfer: GivenSettings<TransferLimits>
  private let identity: GivenSettings<ClientIdentity>
  private let query: Argument?
  private let headers: Argument?
  private let method: Argument?
  private let body: Argument?
  private let placeholders: [Argument]?

  init(parsing arguments: Arguments) throws {
    reading = try GivenSettings(ReadSettings.all, parsing: arguments)
    transfer = try GivenSettings(TransferSettings.all, parsing: arguments)
    identity = try GivenSettings(IdentitySettings.all, parsing: arguments)
    query = try arguments[Self.query]
    headers = try arguments[Self.headers]
    method = try arguments[Self.method]
    body = try arguments[Self.body]
    placeholders = arguments.list(Self.placeholders)
  }

  func set(
    _ source: RemoteSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    let new = try await configuration(changing: Configuration(source), in: &session)
    new.set(source)
  }

  /// A source of the objects at a URL.
  func source(
    at url: String, name: Argument?, in session: inout Session
  ) async throws -> RemoteSource {
    let configuration = try await configuration(changing: Configuration(url: url), in: &session)
    let source = RemoteSource(
      configuration.request, through: session.transports, options: configuration.options,
      formats: .standard, placeholders: configuration.placeholders,
      name: try await name?.string(in: &session) ?? "")
    session.loaded.append(Session.LoadedSource(source: source))
    return source
  }

  /// The settings of every source that sends requests.
  struct Configuration {
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

  /// The configuration `old`, changed by the labels that are given.
  func configuration(
    changing old: Configuration, in session: inout Session
  ) async throws -> Configuration {
    var new = old
    if let query {
      new.request.query = query.isNull ? [] : try await query.parameters(in: &session)
    }
    if let headers {
      new.request.headers = headers.isNull ? [] : try await headers.parameters(in: &session)
      for header in new.request.headers where !header.isHeader {
        throw headers.error(
          .badArgument,
          "`\(header.name)` is not a valid header: a name has letters, digits and `-`; "
            + "a value is one line")
      }
    }
    new.request.body = try await body(changing: old.request.body, in: &session)
    try await identity.apply(to: &new.request.identity, in: &session)
    try await transfer.apply(to: &new.request.limits, in: &session)
    try await reading.apply(to: &new.options, in: &session)
    if let placeholders { new.placeholders = try Self.placeholders(placeholders) }
    return new
  }

  /// The body of a POST; nil for a GET. `body:` implies `method: POST`.
  private func body(
    changing old: RequestBody?, in session: inout Session
  ) async throws -> RequestBody? {
    let named: RequestMethod? = try method.map { try $0.isNull ? .get : $0.choice() }
    guard let body, !body.isNull else {
      if body != nil, named != .post { return nil }
      return switch named {
      case .get: nil
      case .post: body == nil ? old ?? RequestBody(query: "") : RequestBody(query: "")
      case nil: old
      }
    }
    if named == .get, let method {
      throw method.error(.badArgument, "a GET has no body; write `method: POST`")
    }
    return try await body.queryBody(in: &session)
  }

  private static func placeholders(_ arguments: [Argument]) throws -> Set<Placeholder> {
    if arguments.count == 1, arguments[0].isNull { return [] }
    return Set(try arguments.map { try $0.choice() })
  }
}

/// The methods that ask for content.
private enum RequestMethod: String, CaseIterable, Sendable {
  case get = "GET"
  case post = "POST"
}

extension RequestParameter {
  /// Whether the parameter is valid as a header of a request.
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
