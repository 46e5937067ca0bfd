import CScan
import TestSupport
import Testing

@testable import DataTables

/// Compares the packing of prefixes, at every level of the kernels, with packing bit by bit.
struct PackedPrefixTests {
  private var levels: [ds_kernels] { (0...2).compactMap { ds_kernels_at(Int32($0))?.pointee } }

  private func texts(_ random: inout SplitMix64, skipped: Int) -> [[UInt8]?] {
    let alphabet: [UInt8] = random.one(of: [
      Array("0123456789abcdef".utf8), Array("ab".utf8), (0...255).map { UInt8($0) },
    ])
    let stem = (0..<skipped).map { _ in random.one(of: alphabet) }
    // Texts of one length are stored without offsets and contain no null.
    let shared = random.below(2) == 0 ? random.below(24) : nil
    return (0..<random.below(200)).map { _ in
      shared == nil && random.below(20) == 0
        ? nil
        : stem + (0..<(shared ?? random.below(24))).map { _ in random.one(of: alphabet) }
    }
  }

  @Test(arguments: 0..<60)
  func everyLevelPacksTheBitsThatDiffer(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let skipped = random.below(3) * random.below(12)
    let texts = texts(&random, skipped: skipped)
    let writer = TextWriter()
    for text in texts { if let text { writer.append(text) } else { writer.appendNull() } }
    guard let block = try writer.finish().first else { return }
    let behind = texts.map { Self.front(of: $0 ?? [], behind: skipped) }
    let varying = block.varying(after: skipped)
    let maxWidth = 1 + random.below(64)
    let prefix = PackedPrefix(varying, skipped: skipped, maxWidth: maxWidth)
    let masks = varying.masks
    let differing = (0..<128).filter { masks[$0 / 64] >> UInt64(63 - $0 % 64) & 1 == 1 }
    let places = Array(differing.prefix(maxWidth))
    #expect(prefix.width == places.count)
    let expected = behind.map { Self.bits(of: $0, at: places) }
    for level in levels {
      var packed = [UInt64](repeating: 0, count: texts.count)
      let middle = random.below(texts.count)
      packed.withUnsafeMutableBufferPointer { packed in
        guard let start = packed.baseAddress else { return }
        prefix.pack(0..<middle, of: block, with: level, into: start)
        prefix.pack(middle..<texts.count, of: block, with: level, into: start + middle)
      }
      for (index, text) in texts.enumerated() where text != nil {
        #expect(
          packed[index] == expected[index], "seed \(seed), \(String(cString: level.name)), \(index)"
        )
      }
    }
  }

  @Test(arguments: 0..<60)
  func everyLevelFindsTheBitsThatDiffer(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let skipped = random.below(3) * random.below(12)
    // Sometimes more texts than one step processes.
    let all = repeatElement(texts(&random, skipped: skipped), count: 1 + random.below(4)).joined()
    let writer = TextWriter()
    for text in all { if let text { writer.append(text) } else { writer.appendNull() } }
    guard let block = try writer.finish().first else { return }
    let texts = all.prefix(block.count)
    let fronts = texts.compactMap { $0 }.filter { $0.count > skipped }
      .map { Self.front(of: $0, behind: skipped) }
    for level in levels {
      var bits = ds_text_bits(some: (0, 0), all: (.max, .max), anywhere: 0)
      level.add_text_bits(
        block.bytes, block.bounds.offsets, block.bounds.length, texts.count, skipped, &bits)
      let place = "seed \(seed), \(String(cString: level.name))"
      #expect(
        [bits.some.0, bits.some.1] == Self.words(fronts.reduce(Self.none) { zip($0, $1).map(|) }),
        "\(place)")
      #expect(
        [bits.all.0, bits.all.1]
          == Self.words(fronts.reduce(Self.none.map(~)) { zip($0, $1).map(&) }), "\(place)")
      let isASCII = bits.anywhere & 0x8080_8080_8080_8080 == 0
      #expect(isASCII == texts.allSatisfy { ($0 ?? []).allSatisfy { $0 < 0x80 } }, "\(place)")
    }
  }

  private static let none = [UInt8](repeating: 0, count: 16)

  private static func words(_ bytes: [UInt8]) -> [UInt64] {
    [bytes.prefix(8), bytes.dropFirst(8)].map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
  }

  /// 16 bytes; bytes after the end are zeros.
  private static func front(of text: [UInt8], behind skipped: Int) -> [UInt8] {
    let bytes = Array(text.dropFirst(skipped).prefix(16))
    return bytes + [UInt8](repeating: 0, count: 16 - bytes.count)
  }

  private static func bits(of bytes: [UInt8], at places: [Int]) -> UInt64 {
    var bits: UInt64 = 0
    for place in places {
      let bit = bytes[place / 8] >> UInt8(7 - place % 8) & 1
      bits = bits << 1 | UInt64(bit)
    }
    return bits
  }
}
