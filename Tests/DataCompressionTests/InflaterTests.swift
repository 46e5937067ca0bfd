import CZlib
import DataCompression
import TestSupport
import Testing

@Suite struct InflaterTests {
  @Test(arguments: 0..<60)
  func everyFormOfBlocksIsDecompressedFromPieces(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let plain = Self.bytes(&random)
    let compressed = Zlib.deflated(
      plain, level: Int32(random.next() % 10), strategy: Int32(random.next() % 5))
    #expect(try Self.inflated(compressed, &random) == plain, "seed \(seed)")
  }

  /// The content of a complete stream that is presented in pieces; bytes after its end are dropped.
  private static func inflated(_ bytes: [UInt8], _ random: inout SplitMix64) throws -> [UInt8]? {
    let stream = DeflateDecompressor()
    var result: [UInt8] = []
    var start = 0
    let maxPiece = random.one(of: [1, 30, 5_000, 1_000_000])
    while start < bytes.count, !stream.hasEnded {
      let end = min(bytes.count, start + 1 + random.below(maxPiece))
      stream.append(Array(bytes[start..<end]))
      start = end
      while !stream.hasEnded, let piece = try stream.next() { result += piece }
    }
    return stream.hasEnded ? result : nil
  }

  /// Bytes of one of several kinds: few or many values, runs, long and short repetitions.
  private static func bytes(_ random: inout SplitMix64) -> [UInt8] {
    let count = random.below(200_000)
    let values = random.one(of: [2, 10, 60, 256] as [UInt64])
    let repeats = random.next() % 3
    var bytes: [UInt8] = []
    while bytes.count < count {
      if repeats > 0, !bytes.isEmpty, random.next() % 8 < repeats * 3 {
        let distance = 1 + random.below(min(bytes.count, 32_768))
        for _ in 0..<(random.next() % 300) { bytes.append(bytes[bytes.count - distance]) }
      } else {
        bytes.append(UInt8(truncatingIfNeeded: random.next() % values))
      }
    }
    return bytes
  }
}

private enum Zlib {
  static func deflated(_ bytes: [UInt8], level: Int32, strategy: Int32) -> [UInt8] {
    var stream = z_stream()
    deflateInit2_(
      &stream, level, Z_DEFLATED, -15, 8, strategy, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    defer { deflateEnd(&stream) }
    var bytes = bytes
    return bytes.withUnsafeMutableBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: input.count + input.count / 8 + 1_000) { output, count in
        stream.next_in = input.baseAddress
        stream.avail_in = uInt(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = uInt(output.count)
        deflate(&stream, Z_FINISH)
        count = output.count - Int(stream.avail_out)
      }
    }
  }
}
