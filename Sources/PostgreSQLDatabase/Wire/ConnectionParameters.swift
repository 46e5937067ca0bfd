import DataTables
import Databases

/// The parameters of a connection, by libpq's names.
struct ConnectionParameters: Sendable {
  /// One list for each connection to try, in order.
  let attempts: [[(key: String, value: String)]]
  let timeout: Duration
  /// The limit of the time of a statement.
  let statementTimeout: Duration?
  let isWritable: Bool
  /// Is raised when all sessions must end.
  let ending = Cancellation()

  private static let defaultTimeout = Duration.seconds(10)

  /// The parameters of an address override the settings of this module, except those that
  /// conversions rely on.
  init(_ address: DatabaseAddress, _ options: ConnectionOptions) {
    var shared: [(key: String, value: String)] = [("fallback_application_name", "dsshell")]
    if let user = address.user, !user.isEmpty { shared.append(("user", user)) }
    if !address.database.isEmpty { shared.append(("dbname", address.database)) }
    shared += address.parameters.map { ($0.name, $0.value) }
    if let password = options.password ?? address.password {
      shared.append(("password", password))
    }
    shared.append(("client_encoding", "UTF8"))

    attempts = Self.attempts(address.hosts, shared)
    let seconds = address.parameter("connect_timeout").flatMap { Int($0) } ?? 0
    timeout = options.timeout ?? (seconds > 0 ? .seconds(seconds) : Self.defaultTimeout)
    statementTimeout = options.timeout
    isWritable = options.isWritable
  }

  /// One connection for each host: libpq would apply no time limit to a single one of them.
  private static func attempts(
    _ hosts: [DatabaseAddress.Host], _ shared: [(key: String, value: String)]
  ) -> [[(key: String, value: String)]] {
    if hosts.isEmpty { return [shared] }
    let each = hosts.map { host in
      shared + [("host", host.name)] + (host.port.map { [("port", String($0))] } ?? [])
    }
    guard shared.last(where: { $0.key == "target_session_attrs" })?.value == "prefer-standby" else {
      return each
    }
    return each.map { $0 + [("target_session_attrs", "standby")] }
      + each.map { $0 + [("target_session_attrs", "any")] }
  }

  /// The statements that a new session begins with: what the conversions of values rely on, and the
  /// limits of the connection.
  var sessionSettings: String {
    var settings = [
      "TimeZone": "GMT", "DateStyle": "ISO", "IntervalStyle": "postgres", "bytea_output": "hex",
      "extra_float_digits": "3", "standard_conforming_strings": "on",
      "default_transaction_read_only": isWritable ? "off" : "on",
    ]
    if let statementTimeout {
      settings["statement_timeout"] = String(max(1, Int(statementTimeout / .milliseconds(1))))
    }
    return settings.map { "SET \($0.key) = '\($0.value)';" }.joined()
  }
}
