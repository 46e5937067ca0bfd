import DataSources
import DataTables

/// `exchanges SOURCE`
struct ExchangesCommand: Command {
  static let names = ["exchanges"]
  static let parameters = [Parameter.source]
  static let summary = "Shows the requests of the last fetch, and their responses."
  static let notes = [
    "Each try of a request and each redirection is a row, also of pages that were fetched since.",
    "Secrets are hidden. Keys of the rows: `number source method status bytes url detail",
    "requestHeaders requestBody retry location headers milliseconds error`. `retry` is 0 for a first",
    "try, `location` the URL to which a redirection led, `bytes` the size of the body that was read,",
    "after decompression. `requestHeaders` are those of the source, not those that each request has.",
  ]
  static let examples = [
    "let foods = remote file:data/foods.csv | fetch; exchanges foods",
    "let foods = remote file:data/foods.csv | fetch; expect (exchanges foods).status == [200]",
  ]
  static let seeAlso = ["events", "fetch", "cassette", "remote", "paginated"]

  private let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let name = session.displayName(of: source)
    let senders = SourceGraph.sources(below: source).compactMap { $0 as? any RequestingSource }
    guard !senders.isEmpty else {
      throw Diagnostic(
        .badArgument, "\(name) sends no requests; `remote` and `paginated` sources do",
        at: self.source.span)
    }
    let exchanges = senders.flatMap { sender in
      sender.exchanges.map { (session.displayName(of: sender), $0) }
    }
    let hasDetails = exchanges.contains { !Self.detail(of: $0.1).isEmpty }
    let grid = Grid(
      columns: Self.columns(hasSeveralSources: senders.count > 1, hasDetails: hasDetails),
      rows: exchanges.enumerated().map { index, exchange in
        Self.row(index + 1, exchange.0, exchange.1)
      }, placeholder: "\(name): no requests yet")
    return CommandResult(.value(grid.records), Output(.grid(grid)))
  }

  private static func columns(hasSeveralSources: Bool, hasDetails: Bool) -> [Grid.Column] {
    let programs = [
      "requestHeaders", "requestBody", "retry", "location", "headers", "milliseconds", "error",
    ]
    return [
      Grid.Column("number"), Grid.Column("source", audience: hasSeveralSources ? .all : .programs),
      Grid.Column("method"), Grid.Column("status"), Grid.Column("bytes"),
      Grid.Column("time", audience: .people), Grid.Column("url"),
      Grid.Column("detail", audience: hasDetails ? .all : .programs),
    ] + programs.map { Grid.Column($0, audience: .programs) }
  }

  private static func row(_ number: Int, _ source: String, _ exchange: LoggedExchange) -> [Value] {
    let milliseconds = exchange.duration.map { $0 / .milliseconds(1) }
    return [
      .integer(number), .string(source), .string(exchange.method),
      exchange.status.map(Value.integer) ?? .null, .integer(exchange.bytes),
      .string(milliseconds.map(time) ?? "under way"), .string(exchange.url),
      .string(detail(of: exchange)), record(exchange.headers),
      exchange.body.map(Value.string) ?? .null, .integer(exchange.retry),
      exchange.location.map(Value.string) ?? .null, record(exchange.responseHeaders),
      milliseconds.map { Value.real(Real($0)) } ?? .null,
      exchange.failure.map(Value.string) ?? .null,
    ]
  }

  /// `12.3 ms`
  private static func time(_ milliseconds: Double) -> String {
    let tenths = Int(min(max(0, milliseconds), 1e15) * 10)
    return "\(tenths / 10).\(tenths % 10) ms"
  }

  /// `range items=0-19, retry 1, redirects to http://example.test/new`
  private static func detail(of exchange: LoggedExchange) -> String {
    let range = exchange.headers.first { $0.name.lowercased() == "range" }
    let parts = [
      range.map { "range \($0.value)" },
      exchange.retry > 0 ? "retry \(exchange.retry)" : nil,
      exchange.location.map { "redirects to \($0)" }, exchange.failure,
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  /// Values of headers by their names in lowercase; values of the same name are joined, as HTTP
  /// allows it.
  private static func record(_ headers: [HeaderField]) -> Value {
    var names: [String] = []
    var values: [String: String] = [:]
    for header in headers {
      let name = header.name.lowercased()
      if let value = values[name] {
        values[name] = value + ", " + header.value
      } else {
        names.append(name)
        values[name] = header.value
      }
    }
    return .record(Record(names.map { ($0, .string(values[$0] ?? "")) }))
  }
}
