import DataSources
import DataTables

/// `stub [URL|off] [FILE|off]`
struct StubCommand: Command {
  private static let url = Parameter("URL|off", .either([.stubbedURL, .off]), .optional)
  private static let file = Parameter("FILE|off", .either([.path(.file), .off]), .optional)
  private static let status = Label(
    "status", .integer(100...599), "status of the response, from 100 to 599 (200)",
    example: "503")
  private static let headers = Label(
    "headers", .record(of: .value), "headers of the response", example: "{Retry-After: 1}")

  private static let fail = FaultArguments.fail(
    [.request], "requests that fail with `status:` or 503, from 1: `request N`",
    example: "request 2")
  private static let delay = Label(
    "delay", .seconds(atMost: 86_400), "time by which each response is late", example: "2s")

  static let names = ["stub"]
  static let parameters = [url, file]
  static let labels = [
    status, headers, delay, fail, FaultArguments.times, FaultArguments.drop, FaultArguments.rate,
    FaultArguments.seed,
  ]
  static let summary = "Serves a URL from a file, or all URLs below it from the files of a folder."
  static let notes = [
    "A file serves its URL with any query, unless the stubbed URL itself has a query. A folder serves",
    "all URLs with its prefix: posts from the file posts, posts.json, posts.csv …, and posts?page=2",
    "first from a file of that name. A missing file returns 404. The longest matching URL wins.",
    "",
    "`fail: request 2`, `times: 2` and `rate: 0.2 seed: 7` fail some requests, with `status:` or else",
    "503. `drop: 1000` closes the connection after 1,000 bytes of the content: of the selected",
    "requests, or of all. With `status: 503` too, the selected requests fail with 503, and the others",
    "are cut. A `delay:` that exceeds the `timeout:` of the source is an error of that kind.",
    "",
    "`stub URL off` removes a stub, `stub off` removes all; stub alone lists them.",
  ]
  static let examples = [
    "stub http://example.test/foods data/foods.csv",
    "stub http://example.test data; stub http://example.test/down data/foods.csv status: 503",
    "stub http://example.test/foods data/foods.csv delay: 20ms fail: request 2",
    "stub http://example.test/foods data/foods.csv times: 2; stub http://example.test data drop: 9",
    "stub http://example.test data; stub http://example.test off; stub off",
  ]
  static let seeAlso = ["cassette", "remote", "paginated", "slow", "faulty", "offline"]

  private let url: Argument?
  private let file: Argument?
  private let status: Argument?
  private let headers: Argument?
  private let faults: FaultArguments
  private let labels: Span?

  init(parsing arguments: inout Arguments) throws {
    url = try arguments.take(Self.url)
    file = try arguments.take(Self.file)
    status = try arguments[Self.status]
    headers = try arguments[Self.headers]
    faults = try FaultArguments(
      parsing: arguments, fail: Self.fail, delay: Self.delay, times: FaultArguments.times,
      drop: FaultArguments.drop)
    _ = try faults.canFail()
    labels = arguments.span(ofAny: Self.labels)
    if let url, !url.isOff, file == nil {
      throw arguments.missing(Self.file.type.phrase)
    }
    if let labels, file?.isOff ?? true {
      throw Diagnostic(.badArgument, "labels need a file: `\(Self.synopsis)`", at: labels)
    }
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let transports = session.transports
    guard let url else { return Self.list(transports.stubs) }
    guard let file else {
      transports.removeStubs()
      return CommandResult()
    }
    let address = try await url.address(in: &session)
    guard !file.isOff else {
      guard transports.removeStub(for: address) else {
        let near = Suggestion.nearest(to: address, among: transports.stubs.map(\.url))
        throw url.error(.notFound, "no stub serves `\(address)`", suggestion: near)
      }
      return CommandResult()
    }
    let stub = try await stub(of: address, at: url, by: file, in: &session)
    transports.add(stub)
    let name = stub.path.lastPathComponent
    let data = Self.record(stub)
    let origin = stub.isFolder ? "served from the files of \(name)" : "served from \(name)"
    let faults = stub.writtenFaults
    let with =
      (stub.status == 200 ? "" : " with \(stub.status)") + (faults.isEmpty ? "" : ", \(faults)")
    return CommandResult(
      .value(.record(data)),
      Output(.report(Report(headline: "\(stub.shownURL): \(origin)\(with)", data: data))))
  }

  private func stub(
    of address: String, at url: Argument, by file: Argument, in session: inout Session
  ) async throws -> StubTransport {
    let path = FilePath.resolve(try await file.string(in: &session), in: session.options.folder)
    var stub: StubTransport
    do {
      stub = try StubTransport(url: address, path: path, formats: .standard)
    } catch {
      let place = if case .badArgument = error { url } else { file }
      throw place.error(error.kind, error.message)
    }
    stub.clock = session.clock
    stub.faults = try faults.faults(changing: Faults(), random: session.randomNumbers)
    if let count = stub.faults.droppedAfter, !stub.isFolder, let size = stub.size, size <= count {
      throw file.error(
        .badArgument,
        "`drop: \(count)` would never close a connection: \(path.lastPathComponent) has "
          + size.counted("byte"))
    }
    if let status {
      let number = try status.integer()
      if stub.faults.canFail { stub.failureStatus = number } else { stub.status = number }
      if stub.faults.droppedAfter != nil, !stub.faults.selectsAttempts,
        !(200...299).contains(number)
      {
        throw status.error(
          .badArgument,
          "`drop:` needs content, so `status:` must be from 200 to 299; with `times: 2`, the first two "
            + "requests have the status, and the others are cut")
      }
    }
    guard let headers else { return stub }
    guard case .record(let record) = try await headers.value(in: &session) else {
      throw headers.mismatch()
    }
    stub.headers = zip(record.keys, record.values).map { HeaderField($0, $1.headerText) }
    return stub
  }

  private static func list(_ stubs: [StubTransport]) -> CommandResult {
    let hasFaults = stubs.contains { !$0.writtenFaults.isEmpty }
    let grid = Grid(
      columns: ["url", "file", "status"].map { Grid.Column($0) }
        + [Grid.Column("faults", audience: hasFaults ? .all : .programs)],
      rows: stubs.map { record($0).values }, placeholder: "no stubs")
    return CommandResult(.value(grid.records), Output(.grid(grid)))
  }

  private static func record(_ stub: StubTransport) -> Record {
    Record([
      ("url", .string(stub.shownURL)), ("file", .string(stub.path.lastPathComponent)),
      ("status", .integer(stub.status)), ("faults", .string(stub.writtenFaults)),
    ])
  }
}

extension Value {
  /// The string itself; any other value as JSON.
  fileprivate var headerText: String { if case .string(let text) = self { text } else { json } }
}
