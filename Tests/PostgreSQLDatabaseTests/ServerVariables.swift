import Glibc
import Testing

/// The server of the tests, as variables of the environment describe it.
struct ServerVariables {
  static let running = ServerVariables()

  /// `postgres://ds@127.0.0.1:5432/postgres`; nil if the server does not run.
  let postgres = Self.value("DSSHELL_TEST_POSTGRES")
  /// The path of a certificate with which clients can verify the server.
  let postgresCertificate = Self.value("DSSHELL_TEST_POSTGRES_CERTIFICATE")
  /// A role that needs ``password``.
  let user = Self.value("DSSHELL_TEST_USER") ?? ""
  let password = Self.value("DSSHELL_TEST_PASSWORD") ?? ""

  private static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

extension Trait where Self == ConditionTrait {
  /// Skips a suite unless the server runs.
  static var needsServer: Self {
    .enabled(if: ServerVariables.running.postgres != nil, "needs PostgreSQL")
  }
}
