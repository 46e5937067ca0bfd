import DataSources
import Databases

/// A server, with what every request to it has.
struct ServerAddress: Sendable {
  /// `127.0.0.1:8123`, for messages.
  let name: String
  private let url: String
  private let headers: [RequestParameter]
  /// Settings of the user, from the address.
  let settings: [RequestParameter]

  private static let plainPort = 8123
  private static let securePort = 8443
  /// Parameters of an address that are not settings of the server.
  private static let ownParameters: Set<String> = ["cluster", "secure"]
  /// Settings that the connection chooses: another value would lose rows, or break its requests.
  private static let reserved: Set<String> = [
    "readonly", "skip_unavailable_shards", "wait_end_of_query", "default_format", "query_id",
    "query", "database", "user", "session_id", "compress", "max_execution_time",
  ]

  init(
    _ host: DatabaseAddress.Host, of address: DatabaseAddress, password: String?
  ) throws(DatabaseError) {
    let secure = address.parameter("secure") ?? "false"
    guard ["true", "false"].contains(secure) else {
      throw DatabaseError(.connection, "`secure` is `\(secure)`; expected `true` or `false`")
    }
    let isSecure = secure == "true"
    let port = host.port ?? (isSecure ? Self.securePort : Self.plainPort)
    let hostName = host.name.contains(":") ? "[\(host.name)]" : host.name
    name = "\(hostName):\(port)"
    url = "\(isSecure ? "https" : "http")://\(name)/"
    var headers: [RequestParameter] = []
    let hasPassword = password?.isEmpty == false
    let user = address.user ?? ""
    if !user.isEmpty || hasPassword {
      headers.append(
        RequestParameter("X-ClickHouse-User", .plain(user.isEmpty ? "default" : user)))
    }
    if let password, hasPassword {
      headers.append(
        RequestParameter("X-ClickHouse-Key", .secret(password, symbol: "the password")))
    }
    self.headers = headers + [RequestParameter("Content-Type", .plain("text/plain; charset=utf-8"))]
    var settings: [RequestParameter] = []
    for (name, value) in address.parameters where !Self.ownParameters.contains(name) {
      guard name.lowercased() != "password" else {
        throw DatabaseError(
          .connection,
          "a password is not a parameter of an address; it is written USER:PASSWORD@HOST")
      }
      guard !Self.reserved.contains(name) else {
        throw DatabaseError(.connection, "the connection sets `\(name)` itself; remove it")
      }
      settings.append(RequestParameter(name, .plain(value)))
    }
    self.settings = settings
  }

  /// - Parameter isRepeatable: whether running the statement twice does no harm.
  func request(
    _ statement: [UInt8], query: [RequestParameter], isRepeatable: Bool, limits: TransferLimits
  ) -> TransportRequest {
    TransportRequest(
      url: url, query: query, headers: headers,
      body: RequestBody(statement, isRepeatable: isRepeatable), limits: limits)
  }
}
