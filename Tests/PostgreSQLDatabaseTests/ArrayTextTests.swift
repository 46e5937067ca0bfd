import DataTables
import TestSupport
import Testing

@testable import PostgreSQLDatabase

/// The texts of arrays, as no server would write them.
@Suite struct ArrayTextTests {
  private func value(_ text: String) -> Value {
    var text = text
    return text.withUTF8 { ServerType.Reading.array(.integer).value(UnsafeRawBufferPointer($0)) }
  }

  @Test(arguments: [
    "", "{", "}", "{1", "{1,", "{1,}", "{,1}", "{1}}", "{1}x", "x{1}", "{{1}", #"{""#, #"{"\"#,
    #"{"a"b}"#,
    "[0:1]", "[0:1]=", "[0:1={1}", "{{{{{{{1}}}}}}}", "{1 2,{3}x}", "1,2",
  ])
  func aMalformedTextIsAString(text: String) {
    #expect(value(text).json == Value.string(text).json)
  }

  @Test func anyTextIsReadOrAString() {
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix64(seed: seed)
    let pieces = ["{", "}", ",", "\"", "\\", "NULL", "1", "-2", "[", "]", "=", " ", "é"]
    for _ in 0..<20_000 {
      let text = (0..<random.below(12)).map { _ in random.one(of: pieces) }.joined()
      switch value(text) {
      case .array: #expect(text.first == "{" || text.first == "[", "seed \(seed): \(text)")
      case .string(let string): #expect(string == text, "seed \(seed)")
      default: Issue.record("seed \(seed): \(text)")
      }
    }
  }
}
