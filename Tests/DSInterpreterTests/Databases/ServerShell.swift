import DSInterpreter
import DSRendering
import DataSources
import DataTables
import HTTPTransport
import TestSupport

/// A session over the servers of the tests, and what its commands print.
struct ServerShell {
  private var interpreter: Interpreter

  init() {
    interpreter = Interpreter()
    interpreter.session.transports.setNetwork(HTTPTransport())
  }

  /// Ends the command that runs, as Ctrl-C does.
  var cancellation: Cancellation { interpreter.session.cancellation }

  /// Runs commands, each after the failure of the one before too.
  /// - Returns: the lines that people see, without the places of errors in the commands.
  @discardableResult
  mutating func run(_ commands: String) async throws -> [String] {
    var lines: [String] = []
    cancellation.reset()
    try await interpreter.run(commands, keepsGoing: true) { event, session in
      switch event {
      case .output(let output):
        do {
          lines += try await PlainText.lines(of: output)
        } catch {
          lines += PlainText.lines(of: session.diagnostic(ofRendering: error))
        }
        lines += output.warnings.map { "warning: " + $0 }
      case .failure(let diagnostic): lines += PlainText.lines(of: diagnostic)
      }
    }
    return lines
  }

  /// The kind of error with which a command fails; nil if it does not.
  mutating func failure(_ command: String) async throws -> ErrorKind? {
    var kind: ErrorKind?
    try await interpreter.run(command) { event, session in
      switch event {
      case .output(let output):
        do {
          _ = try await PlainText.lines(of: output)
        } catch {
          kind = session.diagnostic(ofRendering: error).kind
        }
      case .failure(let diagnostic): kind = diagnostic.kind
      }
    }
    return kind
  }
}

/// A database of PostgreSQL for one test.
struct TestDatabase {
  /// `postgres://ds@127.0.0.1:5432/test_1`
  let address: String
  let name: String
  private let server: String

  /// Runs a test with a database, which is dropped afterward.
  static func run(_ test: (TestDatabase) async throws -> Void) async throws {
    let server = TestDatabases.running.postgres ?? ""
    let name = "test_\(UInt64.random(in: .min ... .max))"
    let base = server.split(separator: "/").dropLast().joined(separator: "/")
    let database = TestDatabase(
      address: base.replacing("postgres:/", with: "postgres://") + "/" + name, name: name,
      server: server)
    var owner = ServerShell()
    try await owner.run("let pg = open \(server) write: true; exec pg \"CREATE DATABASE \(name)\"")
    do {
      try await test(database)
      try await owner.run("exec pg \"DROP DATABASE \(name) WITH (FORCE)\"; close pg")
    } catch {
      try await owner.run("exec pg \"DROP DATABASE \(name) WITH (FORCE)\"; close pg")
      throw error
    }
  }

  /// A session in which `pg` is the database, opened for writing.
  /// - Parameter labels: further labels of `open`.
  func shell(_ labels: String = "") async throws -> ServerShell {
    var shell = ServerShell()
    try await shell.run("let pg = open \(address) write: true \(labels)")
    return shell
  }
}
