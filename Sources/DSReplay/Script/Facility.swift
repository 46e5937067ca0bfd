import DataSources
import Glibc

/// A facility that `require` names. Its commands are skipped where it is not available.
package enum Facility: String, CaseIterable, Sendable {
  case http, sqlite, postgres, clickhouse

  /// The environment variable with the address of a server, which `Scripts/servers start` prints.
  private var variable: String? {
    switch self {
    case .http, .sqlite: nil
    case .postgres: "DSSHELL_TEST_POSTGRES"
    case .clickhouse: "DSSHELL_TEST_CLICKHOUSE"
    }
  }

  /// Whether its commands may send requests through the transports of the session.
  var usesNetwork: Bool { self == .http || self == .clickhouse }

  /// The reason why a command is skipped.
  var absence: String {
    "not available: \(rawValue)" + (variable.map { "; set \($0) to the address of a server" } ?? "")
  }

  /// The facilities of this process.
  /// - Parameter hasNetwork: whether scripts may send requests at all.
  package static func available(hasNetwork: Bool) -> Set<Facility> {
    Set(
      allCases.filter { facility in
        switch facility {
        case .http: hasNetwork && !SafeMode.isOn
        case .sqlite: true
        case .postgres, .clickhouse: facility.address != nil && !SafeMode.isOn
        }
      })
  }

  /// The address of its server; nil without one.
  var address: String? {
    guard let variable, let address = getenv(variable), address.pointee != 0 else { return nil }
    return String(cString: address)
  }

  /// The value of a variable that scripts can read without an `environment` directive: of those that
  /// `Scripts/servers start` prints, and that tests with servers set; nil for any other.
  /// - Throws: `TableError.denied` in ``SafeMode``.
  static func value(ofVariable name: String) throws -> String? {
    try SafeMode.checkEnvironment(name)
    guard name.hasPrefix("DSSHELL_TEST_"), let value = getenv(name) else { return nil }
    return String(cString: value)
  }
}
