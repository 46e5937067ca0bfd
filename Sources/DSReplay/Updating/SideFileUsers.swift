import DSInterpreter
import DataSources
import DataTables

/// The scripts of a run, and the side files that they name, which an update must not make wrong for
/// another script.
struct SideFileUsers {
  /// The real paths of the scripts.
  private var scripts: Set<String> = []
  /// The lines that name a side file, by its real path.
  private var uses: [String: [Use]] = [:]

  private struct Use {
    let script: String
    let line: Int
    /// The text that is right for this script; nil for that of the file.
    let text: String?
  }

  init() {}

  init(_ outcomes: [FileOutcome], commands: CommandTable) {
    for outcome in outcomes { add(outcome, commands) }
  }

  private mutating func add(_ outcome: FileOutcome, _ commands: CommandTable) {
    let path = ReplacedFile.resolved(outcome.path)
    guard scripts.insert(path).inserted,
      let text = try? TextFile.read(outcome.path, cancellation: Cancellation()),
      text.contains(Marker.file.text)
    else { return }
    let script = ReplayScript(text, path: outcome.path, commands: commands)
    let files = outcome.failures.compactMap(\.correction).flatMap(\.files)
    for (target, line) in script.sideFiles {
      let file = files.first { ReplacedFile.resolved($0.path) == target }
      uses[target, default: []].append(Use(script: outcome.path, line: line, text: file?.text))
    }
  }

  /// Whether a real path is that of a script.
  func isScript(_ target: String) -> Bool { scripts.contains(target) || target.hasSuffix(".ds") }

  /// The line of another script that expects a side file with other content: `b.ds:2`.
  func conflict(with file: Correction.File, of path: String) -> String? {
    let own = ReplacedFile.resolved(path)
    let other = uses[ReplacedFile.resolved(file.path)]?.first {
      ReplacedFile.resolved($0.script) != own && $0.text != file.text
    }
    return other.map { "\($0.script):\($0.line)" }
  }
}

extension ReplayScript {
  /// The real paths of the side files that its commands expect, with the lines that name them.
  var sideFiles: [(target: String, line: Int)] {
    let folder = FilePath.folder(of: path)
    return commands.flatMap(\.expectations).compactMap { expectation in
      guard case .file(let name) = expectation.kind else { return nil }
      return (ReplacedFile.resolved(FilePath.resolve(name, in: folder)), expectation.line)
    }
  }
}
