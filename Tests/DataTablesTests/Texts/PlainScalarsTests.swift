import Foundation
import TestSupport
import Testing

@testable import DataTables

struct PlainScalarsTests {
  private var plain: [Unicode.Scalar] {
    PlainScalars.ranges.flatMap { ($0.first...$0.last).compactMap(Unicode.Scalar.init) }
  }

  @Test func rangesAscend() {
    for (range, next) in zip(PlainScalars.ranges, PlainScalars.ranges.dropFirst()) {
      #expect(range.first <= range.last && range.last < next.first)
    }
    for scalar in plain where !PlainScalars.contains(scalar.value) {
      Issue.record("\(scalar.value)")
    }
    let edges: [UInt32] = [0x300, 0x37E, 0x1100, 0x200D, 0x212A, 0x1F1E6, 0x1F3FB, 0x10_FFFF]
    for edge in edges { #expect(!PlainScalars.contains(edge), "\(edge)") }
  }

  @Test func plainScalarsAreCharactersInCanonicalForm() {
    for scalar in plain where scalar != "\r" && scalar != "\n" {
      let text = "a\(scalar)a\(scalar)\(scalar)"
      let isPlain =
        text.count == 5 && text.precomposedStringWithCanonicalMapping.utf8.elementsEqual(text.utf8)
      if !isPlain { Issue.record("\(scalar.value)") }
    }
  }

  /// Only scalars after the first one of a decomposition combine with the scalar before them.
  @Test func plainScalarsDoNotCombine() {
    for scalar in (0...0x2FFFF).compactMap(Unicode.Scalar.init)
    where !(0xAC00...0xD7A3).contains(scalar.value) {
      let parts = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.dropFirst()
      if parts.contains(where: { PlainScalars.contains($0.value) }) {
        Issue.record("\(scalar.value)")
      }
    }
  }

  @Test(arguments: 0..<10)
  func plainTextsAreInCanonicalForm(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let plain = plain
    for _ in 0..<500 {
      var text = ""
      for _ in 0..<40 { text.unicodeScalars.append(random.one(of: plain)) }
      let lineEnds = text.unicodeScalars.indices.dropLast().filter { index in
        text.unicodeScalars[index...].starts(with: "\r\n".unicodeScalars)
      }
      #expect(text.count == 40 - lineEnds.count, "seed \(seed)")
      #expect(text.precomposedStringWithCanonicalMapping.utf8.elementsEqual(text.utf8))
      #expect(Array(text.utf8).withUnsafeBytes { $0.isPlain })
    }
  }

  @Test(arguments: 0..<6)
  func foldingATextIsFoldingItsScalars(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let plain = plain
    let letters = plain.filter { $0.value < 0x530 || (0x1E00...0x1EFF).contains($0.value) }
    for rawValue in 1...3 {
      let options = ComparisonOperator.Options(rawValue: rawValue)
      for _ in 0..<300 {
        var scalars = String.UnicodeScalarView()
        for _ in 0..<40 { scalars.append(random.one(of: random.below(2) == 0 ? plain : letters)) }
        let expected = scalars.map { options.fold(String($0)) }.joined()
        #expect(
          options.fold(String(scalars)).utf8.elementsEqual(expected.utf8),
          "seed \(seed), \(rawValue): \(Array(scalars))")
      }
    }
  }

  @Test(arguments: [
    [0x61, 0xC3], [0xC3, 0x28], [0xE2, 0x82], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x80],
    [0xF4, 0x90, 0x80, 0x80], [0xE0, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xFF],
    [0xC3, 0xA9, 0x80],
  ])
  func illFormedTextsAreNotPlain(bytes: [UInt8]) {
    #expect(!bytes.withUnsafeBytes { $0.isPlain })
  }

  @Test(arguments: 0..<30)
  func blocksKnowTheirTextsThatAreNotPlain(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let pieces: [[UInt8]] =
      ["", "a", "plain text", "é", "✓", "e\u{301}", "한", "\u{1100}", "👍🏽"].map { Array($0.utf8) }
      + [[0x9C, 0x93], [0xE2]]
    let writer = TextWriter()
    let isShort = random.below(3) == 0
    let texts = (0..<random.below(300)).map { _ in
      (0..<(isShort ? 1 : random.below(4))).flatMap { _ in
        isShort ? [random.one(of: [0x41, 0x80, 0xC3])] : random.one(of: pieces)
      }
    }
    for text in texts { writer.append(text) }
    guard let block = try writer.finish().first else { return }
    let (notPlain, notASCII) = (block.notPlain, block.notASCII)
    for (index, text) in texts.enumerated() {
      #expect(
        notPlain.isSet(index) == !text.withUnsafeBytes { $0.isPlain }, "seed \(seed), \(index)")
      let isASCII = text.allSatisfy { $0 < 0x80 }
      #expect(!notASCII.isSet(index) || !isASCII, "seed \(seed), \(index)")
      #expect(notASCII.isSet(index) || isASCII, "seed \(seed), \(index)")
    }
  }
}
