import Foundation
import TestSupport
import Testing

@testable import DataTables

@Suite struct Base64Tests {
  @Test(arguments: 0..<40)
  func bytesAreEncodedAndDecodedAsFoundationDoes(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    let text = Data(bytes).base64EncodedString()
    #expect(Base64.encoded(bytes) == text)
    #expect(Base64.decoded(text) == bytes)
    #expect(Base64.decoded(document: (text.prefix(3) + "\n\t " + text.dropFirst(3)).utf8) == bytes)
    let plain = text.split(separator: "=").joined()
    #expect(Base64.decoded(plain) == bytes)
    #expect((Base64.decoded(document: plain.utf8) == bytes) == (count % 3 == 0))
  }

  @Test(arguments: ["A", "A===", "AA=A", "====", "AAAA=", "A=AA", "AA\u{e9}A", "-_==", "AA A"])
  func otherTextsAreRejected(text: String) {
    #expect(Base64.decoded(document: text.utf8) == nil)
  }
}
