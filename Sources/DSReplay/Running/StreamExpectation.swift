import DSInterpreter
import DataSources
import DataTables

/// The lines that are expected of a command on standard output and on standard error.
struct StreamExpectation {
  var output: [ExpectedLine] = []
  var errors: [ExpectedLine] = []
  /// The path of the file that alone says what is expected on standard output.
  var wholeFile: String?

  /// - Parameters:
  ///   - expectations: those of a command.
  ///   - path: the script's, in whose folder the files beside it are.
  init(_ expectations: [Expectation], besideScript path: String) throws(SideFileError) {
    for expectation in expectations {
      let line = expectation.line
      switch expectation.kind {
      case .line(let text): output.append(ExpectedLine(kind: .text(text), line: line))
      case .pattern(let pattern): output.append(ExpectedLine(kind: .pattern(pattern), line: line))
      case .anyLines: output.append(ExpectedLine(kind: .anyLines, line: line))
      case .errorLine(let pattern): errors.append(ExpectedLine(kind: .pattern(pattern), line: line))
      case .file(let name):
        let path = FilePath.resolve(name, in: FilePath.folder(of: path))
        output += try Self.lines(of: path, at: line)
        wholeFile = path
      }
    }
    if expectations.count(where: { !$0.isError }) > 1 { wholeFile = nil }
  }

  private static func lines(of path: String, at line: Int) throws(SideFileError) -> [ExpectedLine] {
    do throws(SourceError) {
      let text = try TextFile.read(path, cancellation: Cancellation())
      return Transcriber.lines(of: text).map { ExpectedLine(kind: .text($0)) }
    } catch {
      throw SideFileError(
        line: line,
        message: "the expected text cannot be read: \(Diagnostic(facts: error).message)")
    }
  }
}

/// Why a file beside the script cannot say what is expected.
struct SideFileError: Error {
  let line: Int
  let message: String
}
