import DSInterpreter

/// The lines that are expected of a command on standard output and on standard error.
struct StreamExpectation {
  var output: [ExpectedLine] = []
  var errors: [ExpectedLine] = []
  /// The files beside the script that have lines of ``output``.
  private(set) var files: [SideFile] = []

  /// - Parameters:
  ///   - expectations: those of a command.
  ///   - path: the script's, in whose folder the files beside it are.
  ///   - told: the lines that came on standard output.
  init(
    _ expectations: [Expectation], besideScript path: String, actual: [String]
  ) throws(SideFileError) {
    for expectation in expectations {
      let place = LinePlace.script(expectation.line)
      switch expectation.kind {
      case .line(let text): output.append(ExpectedLine(kind: .text(text), place: place))
      case .pattern(let pattern):
        output.append(ExpectedLine(kind: .pattern(pattern), place: place))
      case .anyLines: output.append(ExpectedLine(kind: .anyLines, place: place))
      case .errorLine(let pattern):
        errors.append(ExpectedLine(kind: .pattern(pattern), place: place, braces: .lenient))
      case .file(let name):
        let path = FilePath.resolve(name, in: FilePath.folder(of: path))
        let file = try SideFile(path, at: expectation.line, actual: actual)
        output += file.lines.enumerated().map { index, text in
          ExpectedLine(kind: .text(text), place: .file(files.count, line: index))
        }
        files.append(file)
      }
    }
  }

  /// Where what comes before all that is expected on standard output would stand.
  /// - Parameter command: the one it is expected of.
  func start(of command: ReplayCommand) -> LinePlace {
    let first = command.expectations.first { !$0.isError }
    if case .file = first?.kind { return .file(0, line: -1) }
    return .script(command.lines.upperBound)
  }
}
