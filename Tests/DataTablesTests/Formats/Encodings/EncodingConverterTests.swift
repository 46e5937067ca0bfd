import TestSupport
import Testing

@testable import DataTables

struct EncodingConverterTests {
  private struct Conversion: Equatable {
    var scalars: [Unicode.Scalar] = []
    var offsets: [Int] = []
    /// The offset of the first invalid byte.
    var end = 0

    init(_ bytes: [UInt8], _ name: String, partSize: Int) throws {
      let converter = try #require(EncodingConverter(name))
      bytes.withUnsafeBytes { bytes in
        end = converter.convert(bytes, partSize: partSize) {
          scalars.append($0)
          offsets.append($1)
          return true
        }
      }
    }
  }

  /// Characters of one to four bytes, which the ends of parts divide everywhere.
  @Test(arguments: ["gb18030", "Shift_JIS", "EUC-JP", "Big5", "EUC-KR", "ISO-2022-JP"])
  func partsOfAnySizeHaveTheOffsetsOfTheWhole(name: String) throws {
    let pieces: [[UInt8]] = [
      [0x61], [0x81, 0x30, 0x81, 0x30], [0x94, 0x39, 0xDA, 0x33], [0xC4, 0xE3], [0x83, 0x5C],
      [0xA4, 0xA2], [0x8E, 0xB1], [0x8F, 0xB0, 0xA1], [0xE6, 0xBC, 0xA2], [0xF0, 0x9F, 0x98, 0x80],
      [0x1B, 0x24, 0x42, 0x30, 0x21], [0x1B, 0x28, 0x42], [0x81, 0x30], [0x81, 0x30, 0x81], [0xFF],
      [0x84, 0x31],
    ]
    var random = SplitMix64(seed: 3)
    var valid = 0
    for round in 0..<600 {
      // Few pieces, so that many texts are valid.
      let some = (0...random.below(3)).map { _ in random.one(of: pieces) }
      let bytes = (0...random.below(8)).flatMap { _ in random.one(of: some) }
      let whole = try Conversion(bytes, name, partSize: bytes.count)
      valid += whole.end == bytes.count ? 1 : 0
      for size in 1...5 {
        #expect(
          try Conversion(bytes, name, partSize: size) == whole, "round \(round), \(size): \(bytes)")
      }
    }
    #expect(valid > 20)
  }
}
