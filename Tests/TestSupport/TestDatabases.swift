import Foundation
package import Testing

/// The database servers for tests, as `Scripts/servers start` describes them in variables.
package struct TestDatabases: Sendable {
  /// Those of the environment.
  package static let running = TestDatabases(ProcessInfo.processInfo.environment)

  package enum Server: String, Sendable {
    case postgres = "PostgreSQL"
    case clickhouse = "ClickHouse"
  }

  /// `postgres://ds@127.0.0.1:5432/postgres`; nil if the server does not run.
  package let postgres: String?
  /// The path of the certificate that the server uses for TLS. Clients that trust it can verify the
  /// server.
  package let postgresCertificate: String?
  /// `clickhouse://127.0.0.1:8123/default`, the first shard; nil unless the whole cluster runs.
  package let clickhouse: String?
  /// The name of the cluster in ClickHouse's `Distributed` tables.
  package let cluster: String
  /// `127.0.0.1:8123`: the address of each shard, in order, for HTTP and for the native protocol.
  package let shards: [String]
  package let nativeShards: [String]
  /// The user of both engines that needs ``password``.
  package let user: String
  package let password: String
  /// The folder with `NAME/pid` and `NAME/log` of each server.
  package let folder: String

  package init(_ variables: [String: String]) {
    func list(_ name: String) -> [String] {
      (variables[name] ?? "").split(separator: ",").map(String.init)
    }
    postgres = variables["DSSHELL_TEST_POSTGRES"]
    postgresCertificate = variables["DSSHELL_TEST_POSTGRES_CERTIFICATE"]
    clickhouse = variables["DSSHELL_TEST_CLICKHOUSE"]
    cluster = variables["DSSHELL_TEST_CLICKHOUSE_CLUSTER"] ?? ""
    shards = list("DSSHELL_TEST_CLICKHOUSE_SHARDS")
    nativeShards = list("DSSHELL_TEST_CLICKHOUSE_NATIVE")
    user = variables["DSSHELL_TEST_USER"] ?? ""
    password = variables["DSSHELL_TEST_PASSWORD"] ?? ""
    folder = variables["DSSHELL_SERVERS"] ?? ""
  }

  package func has(_ server: Server) -> Bool {
    switch server {
    case .postgres: postgres != nil
    case .clickhouse: clickhouse != nil
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test or the suite unless a server runs.
  package static func requires(_ server: TestDatabases.Server) -> Self {
    .enabled(
      if: TestDatabases.running.has(server), "needs \(server.rawValue): Scripts/servers start")
  }
}
