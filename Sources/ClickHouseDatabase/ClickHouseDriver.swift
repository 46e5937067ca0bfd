public import DataSources
import DataTables
public import Databases

extension DatabaseDriver {
  /// ClickHouse over HTTP: `clickhouse://ann@127.0.0.1:8123/shop`.
  ///
  /// - The first of several hosts that answers is used. Without a port, it is 8123, with
  ///   `secure=true` 8443. `cluster=NAME` names the cluster whose shards hold the tables; the other
  ///   parameters are settings of the server.
  /// - Works with servers from 18.16 on. Nothing is repeated after a failure.
  public static func clickHouse(over transport: any Transport) -> DatabaseDriver {
    DatabaseDriver(name: "clickhouse", title: "ClickHouse") { address, options, cancellation in
      try await ClickHouseConnection.open(
        address, options: options, over: transport, cancellation: cancellation)
    }
  }
}
