import DataTables

/// What all workers of a run have in common, as they are told on their command line.
package struct WorkerSettings: Sendable, Equatable {
  /// The longest a command may take, in milliseconds.
  package var commandTime = 5_000
  /// The longest a file may take, in milliseconds.
  package var fileTime = 30_000
  /// A script whose path has this in it is run as a whole, of others the sections whose titles do.
  package var filter: String?
  /// `args` in scripts.
  package var arguments: [String] = []
  /// How a script is run again, in pictures: what comes before its path.
  package var rerun = "dsshell test"

  package init() {}

  package var json: String {
    let value: Value = [
      "command": .integer(commandTime), "file": .integer(fileTime),
      "filter": filter.map(Value.string) ?? .null,
      "arguments": .array(arguments.map(Value.string)), "rerun": .string(rerun),
    ]
    return value.json
  }

  /// - Returns: nil for what ``json`` did not write.
  package init?(json: String) {
    guard let value = try? Value(json: json), case .record(let record) = value,
      case .integer(let command) = record["command"], command > 0,
      case .integer(let file) = record["file"], file > 0,
      case .array(let arguments) = record["arguments"], case .string(let rerun) = record["rerun"]
    else { return nil }
    commandTime = command
    fileTime = file
    if case .string(let text) = record["filter"] { filter = text }
    self.arguments = arguments.compactMap { if case .string(let text) = $0 { text } else { nil } }
    self.rerun = rerun
  }
}
