import DataSources
import DataTables

// Scripts that `source` names.
extension Parser {
  /// The maximum nesting depth, which stops scripts that run each other endlessly.
  static let maxIncludeDepth = 32

  /// Declares the verbs that the script of a `source FILE` defines, so that the lines after it may
  /// call them. A script that cannot be read now is read when the line runs.
  mutating func declareVerbs(ofScriptsIn line: Line.Kind) {
    guard case .pipe(let pipe) = line, let stage = pipe.stages.first,
      let include = commands.include, stage.command == include, includeDepth < Self.maxIncludeDepth,
      let path = stage.atoms.first?.literalText
    else { return }
    let folder = FilePath.folder(of: stage.span.script.file ?? "")
    let file = FilePath.resolve(FilePath.expandingHome(path), in: folder)
    // Reading anything else, such as standard input, would take it from the command.
    guard (try? RegularFile.check(file)) != nil,
      let text = try? TextFile.read(file, cancellation: Cancellation()), text.contains("def")
    else { return }
    let script = ScriptText(text, file: file)
    var parser = Parser(Span(script, 0..<script.bytes.count), commands: commands)
    parser.includeDepth = includeDepth + 1
    while parser.nextCommand() != nil {}
    commands = parser.commands
  }
}

extension Atom {
  fileprivate var literalText: String? {
    switch kind {
    case .word(let text): variable == nil ? text : nil
    case .quoted(let text): text
    default: nil
    }
  }
}
