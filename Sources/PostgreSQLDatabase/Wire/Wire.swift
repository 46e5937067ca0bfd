import CPostgreSQL
import DataSources
import DataTables
import Databases
import Glibc

/// A connection of libpq. It waits by blocking the thread, so all calls are made on the queue of its
/// ``ServerSession``, one after another.
final class Wire {
  /// The time between two looks at a cancellation.
  static let interval: Int32 = 20
  /// The time that the server has to end a canceled statement; then the connection is given up.
  private static let patience = Duration.seconds(5)

  let pointer: UnsafeMutableRawPointer
  /// Identifies the server in a version of its state.
  var server = ""
  private let timeout: Duration?
  /// When the connection is given up unless the server has answered; nil for the usual limits.
  var deadline: ContinuousClock.Instant?
  /// Is raised when the whole connection is closed.
  private let ending: Cancellation
  private var canceler: Canceler?
  /// Whether the connection must not be used again.
  private(set) var isBroken = false
  private var isClosed = false
  /// The statement that runs, for errors; nil for one of this module.
  private var text: String?
  private var isCanceling = false
  /// Whether the statement may be a `COPY … FROM STDIN`.
  private var acceptsCopy = false

  /// - Parameter pointer: is closed with this object.
  init(_ pointer: UnsafeMutableRawPointer, _ parameters: ConnectionParameters) {
    self.pointer = pointer
    timeout = parameters.statementTimeout
    ending = parameters.ending
  }

  /// Prepares a connection that has been made.
  /// - Returns: whether this succeeded.
  func didConnect() -> Bool {
    canceler = cpq_cancel_new(pointer).map { Canceler($0) }
    return canceler != nil && cpq_connected(pointer) == 0
  }

  deinit { if !isClosed { cpq_close(pointer) } }

  /// Closes the connection; it must not be used again.
  func close() {
    isBroken = true
    if !isClosed { cpq_close(pointer) }
    isClosed = true
  }

  var isInTransaction: Bool { cpq_transaction_status(pointer) == CPQ_TRANSACTION_OPEN }
  var isIdle: Bool { cpq_transaction_status(pointer) == CPQ_TRANSACTION_IDLE }

  /// Whether the server has left the idle connection open, as far as is known: this neither
  /// sends something nor waits.
  var isOpen: Bool {
    var descriptor = pollfd(fd: cpq_socket(pointer), events: Int16(POLLIN), revents: 0)
    if isBroken || descriptor.fd < 0 { return false }
    // The reason precedes the end of the connection. Notices may arrive too.
    while poll(&descriptor, 1, 0) > 0 {
      if cpq_consume_input(pointer) == 0 { return false }
    }
    return true
  }

  /// Whether a `COPY` receives rows.
  var isCopying: Bool {
    !isBroken && acceptsCopy && cpq_transaction_status(pointer) == CPQ_TRANSACTION_ACTIVE
  }

  /// Sends a statement of a user.
  /// - Parameter streams: whether ``next(_:)`` returns each row as a result.
  func send(_ statement: Statement, streams: Bool = false) throws(DatabaseError) {
    begin(statement.text)
    let count = statement.arguments.count
    guard count <= 65_535 else {
      throw DatabaseError(
        .engine, "a statement can have 65535 values, and this one has \(count)",
        statement: statement.text)
    }
    let copies = statement.arguments.map { $0.text.flatMap { strdup($0) } }
    defer { for copy in copies { free(copy) } }
    let values = copies.map { $0.map { UnsafePointer($0) } }
    let types = statement.arguments.map(\.type)
    guard cpq_send(pointer, statement.text, Int32(count), types, values) == 1 else {
      throw disconnection()
    }
    if streams { _ = cpq_set_single_row_mode(pointer) }
  }

  /// Sends statements of this module, separated by semicolons.
  /// - Parameter acceptsCopy: whether the last one begins to receive rows.
  func send(script: String, acceptsCopy: Bool = false) throws(DatabaseError) {
    begin(nil)
    self.acceptsCopy = acceptsCopy
    guard cpq_send_script(pointer, script) == 1 else { throw disconnection() }
  }

  private func begin(_ text: String?) {
    self.text = text
    isCanceling = false
    acceptsCopy = false
  }

  /// Gives the connection up: its state is not known.
  func abandon() { isBroken = true }

  /// Waits for the next result of the statement; nil at its end.
  /// - Throws: ``DatabaseError``, `TableError.cancelled`; the statement has then ended.
  func next(_ cancellation: Cancellation) throws -> WireResult? {
    guard let result = try take(cancellation) else {
      try end()
      return nil
    }
    switch result.status {
    case CPQ_COPY_OUT, CPQ_COPY_BOTH,
      CPQ_COPY_IN where !acceptsCopy:
      // Leave the protocol of a copy by leaving the connection.
      isBroken = true
      throw DatabaseError(
        .engine, "COPY from or to the client is not supported", statement: text)
    case CPQ_EMPTY_QUERY:
      try drain(cancellation)
      throw DatabaseError(.engine, "the statement is empty", statement: text)
    default: break
    }
    guard result.hasFailed else { return result }
    let failure = ServerFailure(result)
    let wasCanceled = isCanceling
    if failure.isDisconnection || cpq_is_open(pointer) == 0 {
      isBroken = true
    } else {
      try drain(Cancellation())
    }
    if wasCanceled, failure.isCanceled { throw TableError.cancelled }
    throw failure.error(statement: text, hasTimeout: timeout != nil)
  }

  /// Ends the statement on the server, and drops what is left of its results.
  func stop() throws {
    cancel()
    try drain(Cancellation())
  }

  /// Drops the rest of the results.
  private func drain(_ cancellation: Cancellation) throws {
    while let result = try take(cancellation) {
      if result.status == CPQ_COPY_IN || result.status == CPQ_COPY_OUT {
        isBroken = true
        return
      }
    }
    try end()
  }

  /// A late request to cancel must not meet the next statement.
  private func end() throws {
    guard isCanceling else { return }
    isCanceling = false
    if canceler?.wait(Self.patience) != true { isBroken = true }
  }

  /// The next result, whatever its status; nil at the end of the statement.
  private func take(_ cancellation: Cancellation) throws -> WireResult? {
    try waitForResult(cancellation)
    return cpq_next_result(pointer).map { WireResult($0) }
  }

  private func waitForResult(_ cancellation: Cancellation) throws {
    var start = ContinuousClock.now
    while true {
      let unsent = cpq_flush(pointer)
      // A failure becomes the next result.
      if unsent < 0 || unsent == 0 && cpq_is_busy(pointer) == 0 { return }
      if cancellation.isCancelled || ending.isCancelled, !isCanceling {
        cancel()
        start = .now
      }
      let events = wait(for: unsent == 1 ? [.input, .output] : .input)
      if events.contains(.input) {
        start = .now
        if cpq_consume_input(pointer) == 0 { return }
      }
      try checkSilence(since: start)
    }
  }

  /// - Throws: if the server should have answered long ago.
  private func checkSilence(since start: ContinuousClock.Instant) throws {
    if isCanceling, start.duration(to: .now) > Self.patience {
      isBroken = true
      throw TableError.cancelled
    }
    if let deadline, deadline < .now {
      isBroken = true
      throw DatabaseError(.timeout, "the server does not answer", statement: text)
    }
    // The server ends a statement after the timeout; this is for a server that does not answer.
    if let timeout, start.duration(to: .now) > timeout + Self.patience {
      isBroken = true
      throw DatabaseError(.timeout, "the server does not answer", statement: text)
    }
  }

  private func cancel() {
    isCanceling = true
    canceler?.start()
  }

  /// The error of a connection that broke while it was idle. The reason that the server sent before
  /// it closed the connection has not been read yet.
  private func disconnection() -> DatabaseError {
    isBroken = true
    _ = cpq_consume_input(pointer)
    if let result = cpq_next_result(pointer) {
      let failure = ServerFailure(WireResult(result))
      if failure.isDisconnection { return failure.error(statement: nil, hasTimeout: false) }
    }
    return DatabaseError(.connection, "the server closed the connection")
  }

  struct Events: OptionSet {
    let rawValue: Int16
    static let input = Events(rawValue: Int16(POLLIN))
    static let output = Events(rawValue: Int16(POLLOUT))
  }

  /// Waits for ``interval`` at most.
  func wait(for events: Events) -> Events {
    var descriptor = pollfd(fd: cpq_socket(pointer), events: events.rawValue, revents: 0)
    guard descriptor.fd >= 0, poll(&descriptor, 1, Self.interval) > 0 else {
      return descriptor.fd < 0 ? .input : []
    }
    // A closed connection is readable: reading reports the reason.
    let closed = Int16(POLLERR) | Int16(POLLHUP) | Int16(POLLNVAL)
    return descriptor.revents & closed != 0 ? .input : Events(rawValue: descriptor.revents)
  }
}

extension Wire {
  /// Sends bytes of a `COPY … FROM STDIN` whose result has begun.
  func put(_ bytes: [UInt8], _ cancellation: Cancellation) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let status = rest.prefix(Self.copySize).withUnsafeBytes { bytes in
        cpq_put_copy(
          pointer, bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count))
      }
      if status < 0 {
        // The server has ended the copy: its error is the next result.
        try finishCopy(cancellation)
        throw disconnection()
      }
      if status > 0 { rest = rest.dropFirst(Self.copySize) }
      try flushCopy(cancellation)
    }
  }

  private static let copySize = 1 << 18

  /// Waits until libpq has sent what it buffers, which it would otherwise collect without limit.
  private func flushCopy(_ cancellation: Cancellation) throws {
    while cpq_flush(pointer) == 1 {
      try cancellation.check()
      if wait(for: [.input, .output]).contains(.input), cpq_consume_input(pointer) == 0 { return }
    }
  }

  /// Ends a copy.
  /// - Parameter failure: makes the server drop the rows.
  func endCopy(failure: String? = nil, _ cancellation: Cancellation) throws {
    while cpq_end_copy(pointer, failure) == 0 { try flushCopy(cancellation) }
    try finishCopy(cancellation)
  }

  private func finishCopy(_ cancellation: Cancellation) throws {
    while try next(cancellation) != nil {}
  }
}
