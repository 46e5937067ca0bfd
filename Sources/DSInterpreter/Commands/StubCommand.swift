import DataSources
import DataTables

/// `stub URL FILE`
struct StubCommand: Command {
  static let names = ["stub"]
  static let synopsis = "stub [URL] [FILE|off] [status: NUMBER] [headers: {…}]"
  static let summary = "Answers for a server from a file, or from the files of a folder."
  static let labels = [
    Label("status", "of what is answered, from 100 to 599 (200)", example: "503"),
    Label("headers", "of what is answered", example: "{Retry-After: 1}"),
  ]
  static let notes = [
    "A file answers its URL whatever the query, when the URL has none. A folder answers all URLs that",
    "begin so: posts by the file posts, posts.json, posts.csv …, and posts?page=2 by that before these.",
    "A file that is missing is 404. Of several stubs the one with the most of the URL answers.",
    "",
    "stub alone lists the stubs; stub URL off takes one away, stub off all.",
  ]
  static let examples = [
    "stub http://example.test/foods data/foods.csv",
    "stub http://example.test data; stub http://example.test/down data/foods.csv status: 503",
    "stub http://example.test data; stub http://example.test off; stub off",
  ]
  static let seeAlso = ["cassette", "remote", "paginated", "offline"]

  let url: Argument?
  let file: Argument?
  let status: Argument?
  let headers: Argument?

  init(parsing arguments: inout Arguments) throws {
    url = arguments.take()
    file = arguments.take()
    status = try arguments.label("status")
    headers = try arguments.label("headers")
    if let url, url.word != "off", file == nil { throw arguments.missing("a file") }
    if let label = status ?? headers, file == nil || file?.word == "off" {
      throw label.error(.badArgument, "a label says what a file answers: `\(Self.synopsis)`")
    }
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let transports = session.transports
    guard let url else { return Self.list(transports.stubs) }
    guard let file else {
      transports.removeStubs()
      return CommandResult()
    }
    let address = try await url.string(in: &session)
    guard file.word != "off" else {
      guard transports.removeStub(for: address) else {
        let near = Suggestion.nearest(to: address, among: transports.stubs.map(\.url))
        throw url.error(.notFound, "no stub answers `\(address)`", suggestion: near)
      }
      return CommandResult()
    }
    let stub = try await stub(of: address, at: url, by: file, in: &session)
    transports.add(stub)
    let name = FilePath.name(of: stub.path)
    let data = Self.record(stub)
    let what = stub.isFolder ? "answered by the files of \(name)" : "answered by \(name)"
    let with = stub.status == 200 ? "" : " with \(stub.status)"
    return CommandResult(
      .value(.record(data)),
      Output(.report(Report(headline: "\(stub.shownURL): \(what)\(with)", data: data))))
  }

  private func stub(
    of address: String, at url: Argument, by file: Argument, in session: inout Session
  ) async throws -> StubTransport {
    let path = FilePath.resolve(try await file.string(in: &session), in: session.options.folder)
    var stub: StubTransport
    do {
      stub = try StubTransport(url: address, path: path)
    } catch {
      let place = if case .badArgument = error { url } else { file }
      throw place.error(error.kind, error.message)
    }
    if let status {
      stub.status = try status.natural()
      guard (100...599).contains(stub.status) else {
        throw status.error(.badArgument, "`\(status.span.text)` is no status from 100 to 599")
      }
    }
    guard let headers else { return stub }
    guard case .record(let record) = try await headers.value(in: &session) else {
      throw headers.error(.badArgument, "headers are a record: `headers: {Retry-After: 1}`")
    }
    stub.headers = zip(record.keys, record.values).map { HeaderField($0, $1.headerText) }
    return stub
  }

  private static func list(_ stubs: [StubTransport]) -> CommandResult {
    let grid = Grid(
      columns: ["url", "file", "status"].map { Grid.Column($0) },
      rows: stubs.map { record($0).values }, placeholder: "no stubs")
    return CommandResult(.value(grid.records), Output(.grid(grid)))
  }

  private static func record(_ stub: StubTransport) -> Record {
    Record([
      ("url", .string(stub.shownURL)), ("file", .string(FilePath.name(of: stub.path))),
      ("status", .integer(stub.status)),
    ])
  }
}

extension Value {
  /// A string as it is, anything else as JSON.
  fileprivate var headerText: String { if case .string(let text) = self { text } else { json } }
}
