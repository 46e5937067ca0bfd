import DataTables
import TestSupport
import Testing

@testable import Databases

/// Placeholders of statements that a person writes.
@Suite struct UserStatementTests {
  /// Parts of statements whose question marks are not placeholders.
  private static let parts = [
    "SELECT ", " x", " 'it''s ?'", " \"a ? b\"", " `?`", " -- why ?\n", " /* ? ' \" */", " é", "''",
    " '--' ", " a - b", " a / b", " '", "/*", "--",
  ]
  /// After these, the rest of a statement is not complete.
  private static let open = [" '", "/*", "--"]

  @Test func placeholdersAreFound() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix64(seed: seed)
    for _ in 0..<2_000 {
      var text = ""
      var expected = ""
      var values: [Value] = []
      for _ in 0..<random.below(12) {
        if random.below(3) == 0 {
          text += "? "
          expected += "<\(values.count)> "
          values.append(.integer(values.count))
          continue
        }
        let part = random.one(of: Self.parts)
        text += part
        expected += part
        if Self.open.contains(part) {
          let rest = part == "--" ? " ? and ?" : " ? and ?\n"
          text += rest
          expected += rest
          break
        }
      }
      let statement = try SQL(text, arguments: values, StatementSyntax())
      #expect(statement.text { value, _ in "<\(value.json)>" } == expected, "\(text), seed \(seed)")
      #expect(statement.values == values)
      #expect(throws: StatementError(placeholders: values.count, values: values.count + 1)) {
        try SQL(text, arguments: values + [1], StatementSyntax())
      }
    }
  }
}
