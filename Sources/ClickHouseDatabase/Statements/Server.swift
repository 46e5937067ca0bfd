import DataSources
import DataTables
import Databases
import Synchronization

/// Sends statements to a server, and ends them there when they are canceled.
final class Server: Sendable {
  let address: ServerAddress
  let facts: ServerFacts
  /// The database of the address; nil for the user's default.
  private let database: String?
  private let transport: any Transport
  private let timeout: Duration?
  /// A further limit, which the server does not learn: its settings may not allow others.
  private let transferLimit: Duration?
  private let closing = Cancellation()
  private let running = Mutex(0)

  init(
    _ address: ServerAddress, database: String?, facts: ServerFacts = ServerFacts(),
    timeout: Duration?, transferLimit: Duration? = nil, transport: any Transport
  ) {
    self.address = address
    self.database = database
    self.facts = facts
    self.timeout = timeout
    self.transferLimit = transferLimit
    self.transport = transport
  }

  /// The same server after its facts are known.
  func with(_ facts: ServerFacts) -> Server {
    Server(address, database: database, facts: facts, timeout: timeout, transport: transport)
  }

  /// The same server with a limit for each response.
  func with(transferLimit: Duration) -> Server {
    Server(
      address, database: database, facts: facts, timeout: timeout, transferLimit: transferLimit,
      transport: transport)
  }

  /// The same server with the user's default database.
  var withoutDatabase: Server {
    Server(address, database: nil, facts: facts, timeout: timeout, transport: transport)
  }

  /// How a statement is sent.
  enum Use {
    /// Reads; the response is complete, or an error.
    case read
    /// Reads many rows; an error can follow rows.
    case stream
    case write
    /// The first statement, before the facts of the server are known.
    case connect
  }

  /// A response and the id of its query.
  struct Reply: Sendable {
    let response: TransportResponse
    let query: String
  }

  /// The maximum length of a statement for which the server needs no setting, in bytes.
  private static let plainLength = 200_000

  private func request(
    _ statement: [UInt8], _ use: Use, query: String, length: Int
  ) -> TransportRequest {
    var parameters = [
      RequestParameter("query_id", .plain(query)),
      RequestParameter("default_format", .plain("TabSeparatedWithNamesAndTypes")),
    ]
    if let database { parameters.append(RequestParameter("database", .plain(database))) }
    if use != .stream { parameters.append(RequestParameter("wait_end_of_query", .plain("1"))) }
    if use == .connect {
      return address.request(statement, query: parameters, isRepeatable: true, limits: limits)
    }
    parameters += facts.settings(reads: use != .write)
    if facts.readonly != 1 {
      if let timeout {
        // Old servers read whole seconds.
        let seconds = max(1, min(1e9, (timeout / .seconds(1)).rounded(.up)))
        parameters.append(RequestParameter("max_execution_time", .plain("\(Int(seconds))")))
      }
      if use == .write {
        parameters.append(RequestParameter("insert_distributed_sync", .plain("1")))
      }
      if length > Self.plainLength {
        parameters.append(RequestParameter("max_query_size", .plain("\(length + 1024)")))
      }
    }
    return address.request(
      statement, query: parameters + address.settings, isRepeatable: use != .write,
      limits: limits)
  }

  private var limits: TransferLimits {
    var limits = TransferLimits()
    // A repeated query would have the id of one that may still run.
    limits.retries = 0
    limits.bodySize = .max
    let timeout = [timeout, transferLimit].compactMap { $0 }.min()
    limits.timeout = timeout.map { max(0.001, $0 / .seconds(1)) } ?? 1e9
    limits.connectTimeout = min(limits.connectTimeout, limits.timeout)
    return limits
  }

  /// Runs a statement and reads its response with `read`, in a task that the cancellation cancels.
  ///
  /// - Parameters:
  ///   - length: the length of the statement without the rows of an INSERT, in bytes.
  /// - Throws: ``DatabaseError``, `TableError.cancelled`.
  func run<Result: Sendable>(
    _ text: String, _ use: Use, body: [UInt8]? = nil, cancellation: Cancellation,
    reading read: @escaping @Sendable (Reply) async throws -> Result
  ) async throws -> Result {
    let query = Self.newQuery()
    let request = request(body ?? Array(text.utf8), use, query: query, length: text.utf8.count)
    let transport = transport
    return try await guarding(query, text, cancellation: cancellation) { [self] in
      let response = try await transport.send(request)
      if response.status != 200 { throw try await failure(response, text) }
      return try await read(Reply(response: response, query: query))
    }
  }

  /// Runs a statement without a result.
  /// - Returns: the headers of the response.
  @discardableResult
  func write(
    _ text: String, body: [UInt8]? = nil, cancellation: Cancellation
  ) async throws -> [HeaderField] {
    try await run(text, .write, body: body, cancellation: cancellation) { reply in
      for try await _ in reply.response.body {}
      return reply.response.headers
    }
  }

  /// Runs a part of a query. If it does not end by itself, the query is ended on the server.
  func guarding<Result: Sendable>(
    _ query: String, _ text: String?, cancellation: Cancellation,
    _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    guard !closing.isCancelled else {
      throw DatabaseError(.connection, "the connection is closed")
    }
    try cancellation.check()
    running.withLock { $0 += 1 }
    defer { running.withLock { $0 -= 1 } }
    do {
      return try await closing.canceling { try await cancellation.canceling(work) }
    } catch let error as DatabaseError {
      throw error
    } catch TransportError.cancelled {
      await kill(query)
      throw TableError.cancelled
    } catch is CancellationError {
      await kill(query)
      throw TableError.cancelled
    } catch let error as TransportError {
      // The query may still run.
      if error.mayHaveArrived { await kill(query) }
      throw databaseError(error, text)
    }
  }

  private func databaseError(_ error: TransportError, _ text: String?) -> DatabaseError {
    if case .timeout(let message, _) = error {
      return DatabaseError(.timeout, message, statement: text)
    }
    return DatabaseError(.connection, error.message)
  }

  private func failure(
    _ response: TransportResponse, _ text: String
  ) async throws -> DatabaseError {
    var bytes: [UInt8] = []
    for try await piece in response.body where bytes.count < Self.maxMessage { bytes += piece }
    let body = String(decoding: bytes.prefix(Self.maxMessage), as: UTF8.self)
    guard let exception = ServerException(in: body) else {
      return DatabaseError(
        .connection,
        "\(address.name) responded with status \(response.status), not as ClickHouse "
          + "does")
    }
    return error(exception, text)
  }

  /// The maximum length of an error of the server, in bytes.
  static let maxMessage = 1 << 16

  func error(_ exception: ServerException, _ text: String?) -> DatabaseError {
    var error = exception.error(statement: text, database: facts.database)
    // The server quotes the statement, and never the headers. Words of its own that are equal to the
    // password by accident must stay: replacing them would reveal it.
    if let text, hidingPassword(text) != text { error.message = hidingPassword(error.message) }
    return error
  }

  private func hidingPassword(_ text: String) -> String {
    address.request([], query: [], isRepeatable: true, limits: limits).redacting(text)
  }

  private static func newQuery() -> String {
    let digits = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }
    return "dsshell-" + digits.joined()
  }

  /// Ends a query on the server, and waits until it has ended, at most a few seconds.
  ///
  /// The server stops the parts of a distributed query on the other shards with it.
  func kill(_ query: String) async {
    var limits = TransferLimits()
    limits.connectTimeout = 2
    limits.timeout = 5
    limits.retries = 0
    let text = "KILL QUERY WHERE query_id = \(Literal.quoted(query)) SYNC"
    let request = address.request(
      Array(text.utf8), query: [], isRepeatable: true, limits: limits)
    let transport = transport
    // A task of its own, because the current one may be canceled.
    await Task {
      // A query that was just sent may not have begun.
      for _ in 0..<3 {
        guard let response = try? await transport.send(request) else { return }
        var count = 0
        do { for try await piece in response.body { count += piece.count } } catch { return }
        if count > 0 { return }
        try? await Task.sleep(for: .milliseconds(30))
      }
    }.value
  }

  /// Ends the running statements; later ones fail.
  func close() async {
    closing.cancel()
    for _ in 0..<500 where running.withLock({ $0 }) > 0 {
      try? await Task.sleep(for: .milliseconds(10))
    }
  }
}

extension TransportError {
  /// Whether the server may have received the request.
  fileprivate var mayHaveArrived: Bool {
    switch self {
    case .network, .timeout: true
    case .badURL, .io, .limit, .cassette, .denied, .cancelled: false
    }
  }
}
