import ClickHouseDatabase
package import DataSources
package import Databases
import PostgreSQLDatabase
import SQLiteDatabase

/// The engines that `open` knows.
package struct DatabaseDrivers: Sendable {
  package var all: [DatabaseDriver]

  package init(_ all: [DatabaseDriver]) { self.all = all }

  /// - Parameter transport: sends the requests of engines that speak HTTP.
  package static func standard(over transport: any Transport) -> DatabaseDrivers {
    DatabaseDrivers([.sqlite, .postgres, .clickHouse(over: transport)])
  }

  /// The driver of a scheme, such as `postgresql`; nil for an unknown one.
  func driver(scheme: String) -> DatabaseDriver? {
    all.first { $0.name == scheme || $0.otherSchemes.contains(scheme) }
  }

  /// The driver of a file that begins with some bytes; nil if no engine recognizes them.
  func driver(firstBytes: [UInt8]) -> DatabaseDriver? { all.first { $0.recognizes(firstBytes) } }
}
