import DSInterpreter

/// The expected lines of a command on standard output and standard error.
struct StreamExpectation {
  var output: [ExpectedLine] = []
  var errors: [ExpectedLine] = []
  /// The side files whose lines are in ``output``.
  private(set) var files: [SideFile] = []

  /// - Parameters:
  ///   - expectations: the expectations of a command.
  ///   - path: the path of the script; side files are in its folder.
  ///   - actual: the lines of standard output.
  init(
    _ expectations: [Expectation], inFolderOf path: String, actual: [String]
  ) throws(SideFileError) {
    for expectation in expectations {
      let location = LineLocation.script(expectation.line)
      switch expectation.kind {
      case .line(let text): output.append(ExpectedLine(kind: .text(text), location: location))
      case .pattern(let pattern):
        output.append(ExpectedLine(kind: .pattern(pattern), location: location))
      case .anyLines: output.append(ExpectedLine(kind: .anyLines, location: location))
      case .digest(let digest):
        output.append(ExpectedLine(kind: .digest(digest), location: location))
      case .absent: break
      case .errorLine(let pattern):
        errors.append(ExpectedLine(kind: .pattern(pattern), location: location, braces: .lenient))
      case .file(let name):
        let path = FilePath.resolve(name, in: FilePath.folder(of: path))
        let file = try SideFile(path, at: expectation.line, actual: actual)
        output += file.lines.enumerated().map { index, text in
          ExpectedLine(kind: .text(text), location: .file(files.count, line: index))
        }
        files.append(file)
      }
    }
  }

  /// The reasons why names in the lines have no values.
  func absences(_ captures: Captures) -> [String] { references.compactMap(captures.absence) }

  /// The values of the names in the lines, as `{n} is 5`.
  func values(_ captures: Captures) -> [String] {
    references.compactMap { name in
      captures[name].map { "{\(name)} is \(String(decoding: $0.text, as: UTF8.self))" }
    }
  }

  /// The names to which the lines refer, each once.
  private var references: [String] {
    var seen: Set<String> = []
    return (output + errors).flatMap { $0.patternWithHoles?.references ?? [] }
      .filter { seen.insert($0).inserted }
  }

  /// Whether lines of standard output are compared by their digest.
  var hasDigests: Bool {
    output.contains { if case .digest = $0.kind { true } else { false } }
  }

  /// The location after which a line is inserted above all expected lines of standard output.
  /// - Parameter command: the command with these expectations.
  func start(of command: ReplayCommand) -> LineLocation {
    let first = command.expectations.first(where: \.isOutput)
    if case .file = first?.kind { return .file(0, line: -1) }
    return .script(command.lines.upperBound)
  }
}
