import Testing

@testable import DataTables

struct ValueCoderTests {
  /// Equal numbers that are written differently among them, fewer and more than are compared with
  /// each other.
  @Test(arguments: [1, 4, 5, 20])
  func codesAreTheOrderInWhichTextsFirstCome(count: Int) {
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
