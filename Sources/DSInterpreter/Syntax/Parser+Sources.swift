import DataSources
import DataTables

// Scripts that `source` names.
extension Parser {
  /// The maximum number of scripts that are read for their definitions.
  private static let maxIncluded = 100

  /// Declares the verbs that the script of a `source FILE` defines, so that the lines after it may
  /// call them. A script that cannot be read now is read when the line runs.
  mutating func declareVerbs(ofScriptsIn line: Line.Kind) {
    guard case .pipe(let pipe) = line, let stage = pipe.stages.first,
      let include = commands.include, stage.command == include,
      let path = stage.atoms.first?.literal
    else { return }
    let folder = FilePath.folder(of: stage.span.script.file ?? "")
    let file = FilePath.resolve(FilePath.expandingHome(path), in: folder)
    // Reading anything else, such as standard input, would take it from the command.
    guard included.insert(file).inserted, included.count <= Self.maxIncluded,
      (try? RegularFile.check(file)) != nil,
      let text = try? TextFile.read(file, cancellation: Cancellation()), text.contains("def")
    else { return }
    let script = ScriptText(text, file: file)
    var parser = Parser(Span(script, 0..<script.bytes.count), commands: commands)
    // Each script is read once, also if scripts run each other.
    parser.included = included
    while parser.nextCommand() != nil {}
    commands = parser.commands
    included = parser.included
  }
}
