import DSInterpreter
import DataSources
import DataTables
import Foundation
import Synchronization
import Testing

/// A script with the output that is expected under its commands: `#| line`, and `#! error: …`,
/// `#! warning: …`, `#! trace: …` for what stands on standard error.
struct ScriptFile: CustomTestStringConvertible {
  let path: String
  var testDescription: String { String(path.split(separator: "/").last ?? "") }

  /// Commands, and what must come of the last of them.
  private struct Chunk {
    var firstLine: Int
    var text = ""
    var output: [String] = []
    var errors: [String] = []
    var isChecked = false
  }

  static var all: [ScriptFile] { scripts(in: "Scripts") }

  static func scripts(in folder: String) -> [ScriptFile] {
    let folder = Self.testFolder + "/" + folder
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".ds") }.sorted().map { ScriptFile(path: "\(folder)/\($0)") }
  }

  static let testFolder = #filePath.split(separator: "/").dropLast(2)
    .reduce(into: "") { $0 += "/" + $1 }
  /// The folder of the project's scripts and their data.
  static let projectScripts =
    testFolder.split(separator: "/").dropLast(2)
    .reduce(into: "") { $0 += "/" + $1 } + "/Scripts"

  private func chunks() throws -> [Chunk] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    var chunks = [Chunk(firstLine: 1)]
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let marker = line.prefix(2)
      let isMarker = marker == "#|" || marker == "#!" && index > 0
      if !isMarker, chunks[chunks.count - 1].isChecked {
        chunks.append(Chunk(firstLine: index + 1))
      }
      let last = chunks.count - 1
      if isMarker {
        chunks[last].isChecked = true
        let content = String(line.dropFirst(3))
        if marker == "#|" {
          chunks[last].output.append(content)
        } else {
          chunks[last].errors.append(content)
        }
      } else {
        chunks[last].text += line + "\n"
      }
    }
    return chunks
  }

  /// Runs the script and gives a line for everything that is not as expected.
  func failures(in session: Session = Session()) async throws -> [String] {
    var interpreter = Interpreter(session: session)
    interpreter.session.options.styles = ["table", "json"]
    interpreter.session.options.arguments = ["one", "two"]
    let traced = Mutex<[String]>([])
    interpreter.session.options.traceWriter = { line, _ in
      traced.withLock { $0.append("trace: " + line.text) }
    }
    var failures: [String] = []
    for chunk in try chunks() {
      var output: [String] = []
      var errors: [String] = []
      // The commands keep the line numbers that they have in the file.
      let text = String(repeating: "\n", count: chunk.firstLine - 1) + chunk.text
      try await interpreter.run(text, file: path) { event, _ in
        switch event {
        case .output(let result):
          errors += traced.withLock { lines in
            defer { lines = [] }
            return lines
          }
          output = try await PlainText.lines(of: result)
          errors += result.warnings.map { "warning: " + $0 }
        case .failure(let diagnostic):
          output = []
          errors += PlainText.lines(of: diagnostic)
        }
      }
      let isFine = errors == chunk.errors && (!chunk.isChecked || output == chunk.output)
      guard !isFine else { continue }
      failures.append(
        "line \(chunk.firstLine): expected \(chunk.output) \(chunk.errors), got \(output) \(errors)"
      )
    }
    return failures
  }
}
