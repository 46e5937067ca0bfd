import DataTables
import Foundation
import Testing

@testable import DSInterpreter

/// Files that change while sources use them.
@Suite struct FollowingTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("following-\(UUID().uuidString)").path

  private func write(_ text: String, to name: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
  }

  private func run(
    _ text: String, in interpreter: inout Interpreter
  ) async throws -> (warnings: [String], errors: [Diagnostic]) {
    var warnings: [String] = []
    var errors: [Diagnostic] = []
    interpreter.session.options.folder = folder
    try await interpreter.run(text) { event, session in
      switch event {
      case .output(let output):
        warnings += output.warnings
        do {
          _ = try await PlainText.lines(of: output)
        } catch {
          errors.append(session.diagnostic(ofRendering: error))
        }
      case .failure(let diagnostic): errors.append(diagnostic)
      }
    }
    return (warnings, errors)
  }

  @Test func aWrapperThatCannotBeUpdatedIsReported() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("kind\nx\ny\n", to: "w.csv")
    var interpreter = Interpreter()
    let prelude = """
      load w.csv
      let f = sectioned w key: kind sort: kind | fetch
      let g = sectioned w sort: kind
      """
    #expect(try await run(prelude, in: &interpreter).errors.isEmpty)
    try write("a,b\n1,2\n", to: "w.csv")
    #expect(
      try await run("fetch w", in: &interpreter).warnings == [
        "f could not be updated: w has no key `kind`; it shows its old content"
      ])
    try write("kind\nlonger\n", to: "w.csv")
    #expect(try await run("fetch w", in: &interpreter).warnings == [])
  }

  @Test func aFailureOfAnotherWrapperIsReported() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("kind\nx\n", to: "w.csv")
    var interpreter = Interpreter()
    let prelude = "load w.csv; let f = sectioned w key: kind | fetch; let g = sectioned w | fetch"
    #expect(try await run(prelude, in: &interpreter).errors.isEmpty)
    try write("a,b\n1,2\n", to: "w.csv")
    #expect(
      try await run("fetch g", in: &interpreter).warnings == [
        "f could not be updated: w has no key `kind`; it shows its old content"
      ])
  }

  @Test(arguments: [
    ("object L [0, 0]", 8), ("describe L", 10), ("print L[0, 0]", 7), ("L[0, 0].a", 1),
  ])
  func aFetchReadsAChangedFileAgain(text: String, column: Int) async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // Only files above the size that is read whole are read again.
    let rows = String(repeating: "0123456789012345678901234567890123456789,1\n", count: 450_000)
    try write("a,b\n" + rows, to: "L.csv")
    var interpreter = Interpreter()
    #expect(try await run("load L.csv", in: &interpreter).errors.isEmpty)
    try write("a,b\n1,2\n", to: "L.csv")
    let error = try #require(try await run(text, in: &interpreter).errors.first)
    #expect(error.kind == .changed)
    #expect(error.message.hasSuffix("has changed since it was loaded (fetch L)"))
    #expect(error.place?.column == column)
    let shown = try #require(try await run("objects L", in: &interpreter).errors.first)
    #expect(shown.message.hasSuffix("(fetch L)"))
  }
}
