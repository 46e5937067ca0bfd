import Foundation
import Testing

@testable import DSInterpreter

@Suite struct LoadOptionTests {
  @Test(
    arguments: [
      ("load w.csv encoding: klingon", 22, nil), ("load w.csv encoding: utf-9", 22, "utf-8"),
      ("load w.csv format: xls", 20, "xlsx"), ("load w.csv format: cvs", 20, "csv"),
      ("load w.csv types: {zip: string}", 20, nil), ("load w.csv types: {kin: string}", 20, "kind"),
      ("load w.csv types: {kind: strong}", 26, "string"),
      ("load w.csv keyPath: kind", 12, nil), ("load w.csv strict: true rows: object", 25, nil),
    ] as [(String, Int, String?)])
  func aWrongOptionIsLocated(
    text: String, column: Int, suggestion: String?
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("options-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "kind\nx\n".write(toFile: folder + "/w.csv", atomically: false, encoding: .utf8)
    var interpreter = Interpreter()
    interpreter.session.options.folder = folder
    var errors: [Diagnostic] = []
    try await interpreter.run(text) { event, _ in
      if case .failure(let diagnostic) = event { errors.append(diagnostic) }
    }
    let error = try #require(errors.first)
    #expect(error.place?.column == column)
    #expect(error.suggestion == suggestion)
    guard let suggestion, let place = error.place else { return }
    // In place of the words at the caret, it has another result.
    let start = text.index(text.startIndex, offsetBy: place.column - 1)
    let end = text.index(start, offsetBy: place.length)
    let message = error.message
    errors = []
    try await interpreter.run(text.replacingCharacters(in: start..<end, with: suggestion)) {
      event, _ in
      if case .failure(let diagnostic) = event { errors.append(diagnostic) }
    }
    #expect(errors.allSatisfy { $0.suggestion == nil && $0.message != message })
  }
}
