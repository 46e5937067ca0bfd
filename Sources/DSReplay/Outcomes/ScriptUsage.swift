import DSInterpreter
import DataSources
import DataTables

/// The parts of a script and the files beside it that its run used or left unused.
package struct ScriptUsage: Sendable, Equatable {
  /// The exchanges of each cassette that no request used, by the path of the cassette.
  var cassettes: [String: Set<UnusedExchange>] = [:]
  /// The paths of the files that the script names: side files, and those of `each`.
  var files: Set<String> = []
  /// The folders of the side files.
  var folders: Set<String> = []
  /// The lines of the checks in blocks that did not run.
  var idleChecks: Set<Int> = []

  init() {}

  /// - Parameter session: the session of the run.
  init(of script: ReplayScript, in session: Session) {
    cassettes = session.transports.unusedExchanges
    let folder = FilePath.folder(of: script.path)
    for command in script.commands {
      for case .file(let name) in command.expectations.map(\.kind) {
        let path = FilePath.resolve(name, in: folder)
        files.insert(path)
        folders.insert(FilePath.folder(of: path))
      }
    }
    for file in script.each?.files ?? [] { files.insert(FilePath.resolve(file, in: folder)) }
    let ran = session.execution.checksThatRan ?? []
    for check in script.lines.flatMap(\.checksInBlocks) where !ran.contains(ObjectIdentifier(check))
    {
      idleChecks.insert(check.span.place.line)
    }
  }

  /// Adds another run of the script: what one of the runs uses is used.
  fileprivate mutating func add(_ other: ScriptUsage) {
    cassettes.merge(other.cassettes) { $0.intersection($1) }
    files.formUnion(other.files)
    folders.formUnion(other.folders)
    idleChecks.formIntersection(other.idleChecks)
  }
}

extension ScriptUsage? {
  /// Adds another run of the script, if its usage is known.
  mutating func add(_ other: ScriptUsage?) {
    guard let other else { return }
    if self == nil { self = other } else { self?.add(other) }
  }
}

// Serialization as fields of a message.
extension ScriptUsage {
  func write(to line: inout FieldLine) {
    line.append(cassettes.keys.sorted()) { line, path in
      line.append(path)
      line.append((cassettes[path] ?? []).sorted { $0.line < $1.line }) {
        $0.append($1.line)
        $0.append($1.request)
      }
    }
    for paths in [files, folders] { line.append(paths.sorted()) { $0.append($1) } }
    line.append(idleChecks.sorted()) { $0.append($1) }
  }

  init(from fields: inout FieldReader) throws(FieldReader.Malformed) {
    for _ in 0..<max(0, try fields.int()) {
      let path = try fields.text()
      let unused = try fields.array { fields throws(FieldReader.Malformed) in
        UnusedExchange(line: try fields.int(), request: try fields.text())
      }
      cassettes[path] = Set(unused)
    }
    files = Set(try fields.array { fields throws(FieldReader.Malformed) in try fields.text() })
    folders = Set(try fields.array { fields throws(FieldReader.Malformed) in try fields.text() })
    idleChecks = Set(try fields.array { fields throws(FieldReader.Malformed) in try fields.int() })
  }
}
