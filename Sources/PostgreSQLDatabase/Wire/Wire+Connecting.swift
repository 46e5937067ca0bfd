import CPostgreSQL
import DataSources
import DataTables
import Databases
import Glibc

extension Wire {
  /// Connects to the first host that answers.
  /// - Throws: ``DatabaseError``, `TableError.cancelled`.
  static func connect(
    _ parameters: ConnectionParameters, _ cancellation: Cancellation
  ) throws -> Wire {
    if let failure = cpq_open() {
      throw DatabaseError(
        .connection,
        "PostgreSQL needs libpq, which cannot be opened: \(String(cString: failure)); install it "
          + "(libpq5 on Debian and Ubuntu)")
    }
    var failure = DatabaseError(.connection, "the address has no host")
    for attempt in parameters.attempts {
      do {
        let wire = try connect(attempt, parameters, cancellation)
        _ = try wire.rows(script: parameters.sessionSettings, cancellation)
        wire.server = try wire.readServer(cancellation)
        return wire
      } catch let error as DatabaseError {
        failure = error
        // Another host would refuse the password too.
        if error.kind == .access { break }
      }
    }
    throw failure
  }

  private static func connect(
    _ attempt: [(key: String, value: String)], _ parameters: ConnectionParameters,
    _ cancellation: Cancellation
  ) throws -> Wire {
    let wire = Wire(try start(attempt), parameters)
    let place = place(attempt)
    let end = ContinuousClock.now + parameters.timeout
    var step = Int32(CPQ_POLLING_WRITING)
    while step != CPQ_POLLING_OK {
      if step == CPQ_POLLING_FAILED { throw wire.connectionFailure(place).error }
      try cancellation.check()
      guard ContinuousClock.now < end else {
        throw DatabaseError(.timeout, "\(place) does not answer within \(parameters.timeout)")
      }
      if wire.wait(for: step == CPQ_POLLING_READING ? .input : .output).isEmpty { continue }
      step = cpq_connect_poll(wire.pointer)
    }
    guard wire.didConnect() else { throw wire.connectionFailure(place).error }
    return wire
  }

  private static func start(
    _ parameters: [(key: String, value: String)]
  ) throws(DatabaseError) -> UnsafeMutableRawPointer {
    let texts = parameters.flatMap { [$0.key, $0.value] }
    guard !texts.contains(where: { $0.utf8.contains(0) }) else {
      throw DatabaseError(.connection, "an address cannot contain the character NUL")
    }
    // libpq copies the texts.
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let pointers = copies.map { UnsafePointer($0) }
    let keys = stride(from: 0, to: pointers.count, by: 2).map { pointers[$0] } + [nil]
    let values = stride(from: 1, to: pointers.count, by: 2).map { pointers[$0] } + [nil]
    guard let pointer = cpq_connect(keys, values) else {
      throw DatabaseError(.connection, "out of memory for a connection")
    }
    guard cpq_is_open(pointer) == 1 else {
      let report = String(cString: cpq_error(pointer))
      cpq_close(pointer)
      throw ConnectionFailure(
        place: place(parameters), report: report, needsPassword: false, usedPassword: false
      ).error
    }
    return pointer
  }

  private func connectionFailure(_ place: String) -> ConnectionFailure {
    ConnectionFailure(
      place: place, report: String(cString: cpq_error(pointer)),
      needsPassword: cpq_needs_password(pointer) == 1, usedPassword: cpq_used_password(pointer) == 1
    )
  }

  private static func place(_ parameters: [(key: String, value: String)]) -> String {
    func value(_ key: String) -> String? { parameters.last { $0.key == key }?.value }
    guard let host = value("host") else { return "the server" }
    return host + (value("port").map { ":\($0)" } ?? "")
  }
}
