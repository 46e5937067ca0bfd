import CZlib
import DataCompression
import Testing

/// Compares our decompression with zlib's.
@Suite struct InflaterTests {
  @Test(arguments: 0..<60)
  func everyFormOfBlocksIsDecompressed(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let plain = Self.bytes(&random)
    let compressed = Zlib.deflated(
      plain, level: Int32(random.next() % 10), strategy: Int32(random.next() % 5))
    #expect(try Self.inflated(compressed, &random) == plain, "seed \(seed)")
  }

  @Test(arguments: 0..<400)
  func corruptDataHasTheResultOfZlib(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let plain = Array(Self.bytes(&random).prefix(3_000))
    var bytes = Zlib.deflated(
      plain, level: Int32(random.next() % 10), strategy: Int32(random.next() % 5))
    for _ in 0..<(1 + random.next() % 3) where !bytes.isEmpty {
      bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
    }
    let expected = Zlib.inflated(bytes)
    let actual = try? Self.inflated(bytes, &random)
    #expect(actual == expected, "seed \(seed)")
  }

  @Test(arguments: 0..<400)
  func randomBytesHaveTheResultOfZlib(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    // A dynamic or fixed block in nearly all cases.
    var bytes = (0..<200).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    bytes[0] = bytes[0] & ~6 | (random.next() % 2 == 0 ? 2 : 4)
    let expected = Zlib.inflated(bytes)
    let actual = try? Self.inflated(bytes, &random)
    #expect(actual == expected, "seed \(seed)")
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

/// zlib as a reference.
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

  /// Nil for corrupt or truncated bytes.
  static func inflated(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    defer { inflateEnd(&stream) }
    var bytes = bytes
    var status = Z_OK
    let result = bytes.withUnsafeMutableBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: 4 << 20) { output, count in
        stream.next_in = input.baseAddress
        stream.avail_in = uInt(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = uInt(output.count)
        status = inflate(&stream, Z_FINISH)
        count = output.count - Int(stream.avail_out)
      }
    }
    return status == Z_STREAM_END ? result : nil
  }
}
