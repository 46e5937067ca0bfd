import Testing

@testable import DataTables

struct ValueCoderTests {
  /// With equal numbers that are written differently; with fewer and with more values than the
  /// coder compares without hashing.
  @Test(arguments: [1, 4, 5, 20])
  func codesFollowTheFirstAppearanceOfTexts(count: Int) {
    let texts = (0..<count).flatMap { ["\($0)", "\($0).0"] }
    var coder = ValueCoder()
    for _ in 0..<2 {
      for (code, text) in texts.enumerated() {
        #expect(coder.code(of: Value(literal: text)) == UInt32(code))
      }
    }
    #expect(coder.values.count == texts.count)
  }
}
