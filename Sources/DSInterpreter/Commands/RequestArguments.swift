import DataSources
import DataTables

/// The labels that say what is asked of a server, and how the answer is read.
struct RequestArguments {
  static let labels =
    [
      Label("keyPath", "where in a JSON answer the objects are", example: "data.items"),
      Label("query", "parameters of the URL; a list repeats one", example: "{tag: [new, red]}"),
      Label(
        "headers", "headers; env NAME is kept secret",
        example: "{Authorization: env API_TOKEN}"),
      Label("timeout", "seconds for the whole answer (60)", example: "5"),
      Label("connectTimeout", "seconds for the connection (10)", example: "2"),
      Label("retries", "how often it is sent again where that may help (2)", example: "0"),
      Label("redirects", "the most redirections that are followed (10)", example: "3"),
      Label("bodySize", "the most bytes of an answer (1 GiB)", example: "50000000"),
      Label(
        "placeholders", "rows for what is not there: loading noResults error",
        example: "loading, error", completion: .words(Placeholder.allCases.map(\.rawValue))),
    ] + LoadCommand.labels.filter { $0.name != "name" } + [
      Label("name", "the name of the source, the title of its section", example: "Posts")
    ]

  let reading: ReadOptionArguments
  let name: Argument?
  private let keyPath: Argument?
  private let query: Argument?
  private let headers: Argument?
  private let chosenPlaceholders: [Argument]
  private let limits: [String: Argument]

  init(parsing arguments: Arguments) throws {
    reading = try ReadOptionArguments(parsing: arguments)
    name = try arguments.label("name")
    keyPath = try arguments.label("keyPath")
    query = try arguments.label("query")
    headers = try arguments.label("headers")
    chosenPlaceholders = arguments.groups("placeholders")?.flatMap { $0 } ?? []
    var limits: [String: Argument] = [:]
    for label in ["timeout", "connectTimeout", "retries", "redirects", "bodySize"] {
      limits[label] = try arguments.label(label)
    }
    self.limits = limits
  }

  func request(to url: Argument, in session: inout Session) async throws -> TransportRequest {
    var request = TransportRequest(url: try await url.url(in: &session))
    if let query { request.query = try await query.parameters("query", in: &session) }
    if let headers {
      request.headers = try await headers.parameters("headers", in: &session)
      for header in request.headers where !header.isHeader {
        throw headers.error(
          .badArgument,
          "`\(header.name)` is no header: a name is letters, digits and `-`, and a "
            + "value is one line")
      }
    }
    if let limit = limits["timeout"] { request.limits.timeout = try limit.seconds() }
    if let limit = limits["connectTimeout"] { request.limits.connectTimeout = try limit.seconds() }
    if let limit = limits["retries"] { request.limits.retries = try limit.natural() }
    if let limit = limits["redirects"] { request.limits.redirects = try limit.natural() }
    if let limit = limits["bodySize"] { request.limits.bodySize = try limit.natural() }
    return request
  }

  func options(in session: inout Session) async throws -> ReadOptions {
    var options = try await reading.options(in: &session)
    options.keyPath = try await keyPath?.keyPath(in: &session).path
    return options
  }

  func placeholders() throws -> Set<Placeholder> {
    let known = Placeholder.allCases.map(\.rawValue)
    var placeholders: Set<Placeholder> = []
    for argument in chosenPlaceholders.flatMap({ $0.elements ?? [$0] }) {
      let word = try argument.choice(of: known, for: "placeholder")
      if let placeholder = Placeholder(rawValue: word) { placeholders.insert(placeholder) }
    }
    return placeholders
  }
}

extension Argument {
  /// A URL; a relative path of a `file:` URL is taken from the folder of the script.
  fileprivate func url(in session: inout Session) async throws -> String {
    let text = try await string(in: &session)
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex,
      text[..<colon].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    else {
      throw error(
        .badArgument,
        "`\(text)` is no URL, which begins with http://, https:// or file: (load reads files)")
    }
    if let odd = text.unicodeScalars.first(where: { $0.value <= 0x20 || $0.value == 0x7F }) {
      throw error(
        .badArgument,
        odd == " " ? "a space in a URL is written %20" : "a URL has no control characters")
    }
    let path = text[text.index(after: colon)...]
    guard text[..<colon].lowercased() == "file", !path.hasPrefix("/") else { return text }
    return "file:" + FilePath.resolve(String(path), in: session.options.folder)
  }

  /// A time limit.
  fileprivate func seconds() throws -> Double {
    guard let text, let seconds = Double(text), seconds > 0, seconds <= 1_000_000 else {
      throw error(.badArgument, "`\(span.text)` is no number of seconds above 0")
    }
    return seconds
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
