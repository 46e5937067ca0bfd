import DataSources
import DataTables
import Databases

extension Session {
  /// Writes the statements of the databases that have names as they end, while `trace` is on.
  ///
  /// A name or an option that changes later counts from the next call on.
  func traceStatements() {
    for binding in bindings {
      guard case .database(let opened) = binding.value else { continue }
      guard options.traces, let write = options.traceWriter else {
        opened.database.log.observe(nil)
        continue
      }
      let (name, options) = (binding.name, options)
      opened.database.log.observe { write(EventLine($0, of: name), options) }
    }
  }
}

extension EventLine {
  /// - Parameter database: the name of the database.
  fileprivate init(_ statement: LoggedStatement, of database: String) {
    let text = statement.text.redactingSecrets
    let failure = statement.failure?.redactingSecrets
    let tenths = Int((statement.time / .milliseconds(1) * 10).rounded())
    let time = "\(tenths / 10).\(tenths % 10) ms"
    let outcome =
      failure.map { "failed, \(time): \($0)" } ?? "\(counted(statement.rows, "row")), \(time)"
    self.init(
      source: database, depth: 0, event: "statement", detail: "\(text)  \(outcome)",
      record: Record([
        ("source", .string(database)), ("event", "statement"), ("statement", .string(text)),
        ("rows", .integer(statement.rows)), ("milliseconds", .real(Real(Double(tenths) / 10))),
        ("error", failure.map(Value.string) ?? .null),
      ]))
  }
}
