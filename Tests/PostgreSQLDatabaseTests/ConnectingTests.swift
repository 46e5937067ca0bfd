import DataSources
import DataTables
import Databases
import PostgreSQLDatabase
import TestSupport
import Testing

@Suite(.requires(.postgres)) struct ConnectingTests {
  private func address() throws -> DatabaseAddress {
    try DatabaseAddress(parsing: try #require(TestDatabases.running.postgres))
  }

  private func failure(
    _ address: DatabaseAddress, _ options: ConnectionOptions = ConnectionOptions()
  ) async -> DatabaseError? {
    await #expect(throws: DatabaseError.self) {
      _ = try await DatabaseDriver.postgres.connect(address, options, Cancellation())
    }
  }

  @Test func aPasswordComesFromTheAddressOrTheOptions() async throws {
    var address = try address()
    address.user = TestDatabases.running.user
    address.password = TestDatabases.running.password
    let first = try await DatabaseDriver.postgres.connect(
      address, ConnectionOptions(), Cancellation())
    #expect(first.address.password == nil)
    #expect(!first.address.description.contains(TestDatabases.running.password))
    await first.close()

    var options = ConnectionOptions()
    options.password = address.password
    address.password = "wrong"
    let second = try await DatabaseDriver.postgres.connect(address, options, Cancellation())
    await second.close()
  }

  @Test func aWrongPasswordIsReportedWithoutIt() async throws {
    var address = try address()
    address.user = TestDatabases.running.user
    address.password = "not-the-secret"
    let error = await failure(address)
    #expect(error?.kind == .access)
    #expect(error?.code == "28P01")
    #expect(
      error?.message
        == "password authentication failed for user \"\(TestDatabases.running.user)\"")
  }

  @Test func aMissingPasswordIsReported() async throws {
    var address = try address()
    address.user = TestDatabases.running.user
    address.parameters.append(("passfile", "/nonexistent"))
    let error = await failure(address)
    #expect(error?.kind == .access)
    #expect(error?.message == "the server asks for a password")
  }

  @Test func anUnknownDatabaseIsReported() async throws {
    var address = try address()
    address.database = "no such database"
    let error = await failure(address)
    #expect(error?.kind == .unknownDatabase("no such database"))
    #expect(error?.code == "3D000")
    #expect(error?.message == "database \"no such database\" does not exist")
    #expect(error?.known.contains("postgres") == true)
  }

  @Test func aServerThatDoesNotRunIsReported() async throws {
    var address = try address()
    address.hosts = [DatabaseAddress.Host(name: "127.0.0.1", port: 1)]
    let error = await failure(address)
    #expect(error?.kind == .connection)
    #expect(error?.message == "cannot connect to 127.0.0.1:1: connection refused")
  }

  @Test func anUnknownHostIsReported() async throws {
    var address = try address()
    address.hosts = [DatabaseAddress.Host(name: "no-such-host.invalid", port: 1)]
    #expect(
      await failure(address)?.message.hasPrefix("cannot connect to no-such-host.invalid:1: ")
        == true)
  }

  @Test func anUnknownParameterIsReported() async throws {
    var address = try address()
    address.parameters.append(("nonsense", "1"))
    #expect(await failure(address)?.message.contains("nonsense") == true)
  }

  @Test func theFirstHostThatAnswersIsUsed() async throws {
    var address = try address()
    address.hosts.insert(DatabaseAddress.Host(name: "127.0.0.1", port: 1), at: 0)
    let connection = try await DatabaseDriver.postgres.connect(
      address, ConnectionOptions(), Cancellation())
    await connection.close()
  }

  @Test func aHostThatDoesNotAnswerTimesOut() async throws {
    // It accepts the connection and says nothing.
    let silent = try SilentServer()
    var address = try address()
    address.hosts = [DatabaseAddress.Host(name: "127.0.0.1", port: silent.port)]
    var options = ConnectionOptions()
    options.timeout = .milliseconds(300)
    let error = await failure(address, options)
    #expect(error?.kind == .timeout)
    #expect(error?.message == "127.0.0.1:\(silent.port) does not answer within 0.3 seconds")
  }

  @Test func connectingIsCanceled() async throws {
    let silent = try SilentServer()
    var address = try address()
    address.hosts = [DatabaseAddress.Host(name: "127.0.0.1", port: silent.port)]
    let cancellation = Cancellation()
    Task {
      try await Task.sleep(for: .milliseconds(100))
      cancellation.cancel()
    }
    // Other tests may keep the task from running for a long time.
    var options = ConnectionOptions()
    options.timeout = .seconds(300)
    let (place, patient) = (address, options)
    await #expect(throws: TableError.cancelled) {
      _ = try await DatabaseDriver.postgres.connect(place, patient, cancellation)
    }
  }

  @Test func theServerIsVerified() async throws {
    let certificate = try #require(TestDatabases.running.postgresCertificate)
    let connection = try await Server.connect(
      "?sslmode=verify-full&sslrootcert=\(certificate)")
    let snapshot = try await connection.snapshot(of: [], cancellation: Cancellation())
    let row = try await snapshot.rows(
      "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
    #expect(row[0][0].json == "true")
    await connection.close()

    var address = try address()
    address.parameters = [("sslmode", "verify-full"), ("sslrootcert", "/nonexistent.pem")]
    #expect(await failure(address)?.kind == .connection)
  }

  @Test func aClosedConnectionFails() async throws {
    let connection = try await Server.connect()
    let snapshot = try await connection.snapshot(of: [], cancellation: Cancellation())
    await connection.close()
    let error = await #expect(throws: DatabaseError.self) {
      _ = try await snapshot.rows("SELECT 1")
    }
    #expect(error?.message == "the connection is closed")
    await #expect(throws: DatabaseError.self) {
      _ = try await connection.tables(cancellation: Cancellation())
    }
  }

  @Test func closingEndsStatements() async throws {
    let connection = try await Server.connect()
    let snapshot = try await connection.snapshot(of: [], cancellation: Cancellation())
    async let sleeping: Void = {
      _ = try? await snapshot.rows("SELECT pg_sleep(60)")
    }()
    try await Task.sleep(for: .milliseconds(100))
    await connection.close()
    await sleeping
  }
}
