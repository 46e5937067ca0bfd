/// Creates the compressed bodies that tests need: stored blocks, and many zeros.
enum Compressed {
  /// At most 65,535 bytes as gzip, in a stored block.
  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    header + raw(bytes) + littleEndian(checksum(bytes)) + littleEndian(UInt32(bytes.count))
  }

  /// The same as zlib.
  static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var low: UInt32 = 1
    var high: UInt32 = 0
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return [0x78, 0x01] + raw(bytes) + littleEndian((high << 16 | low).byteSwapped)
  }

  /// The same without header and checksum.
  static func raw(_ bytes: [UInt8]) -> [UInt8] {
    let length = UInt16(clamping: bytes.count)
    return [1] + littleEndian(length) + littleEndian(~length) + bytes.prefix(65_535)
  }

  /// Zeros in a thousandth of their size, as zlib (`deflate` in HTTP), whose checksum of zeros is
  /// simple.
  static func zeros(megabytes: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.append(1, count: 1)
    bits.append(0b01, count: 2)
    // In the fixed code: the literal 0, then repeats of 258 bytes at distance 1, then the end.
    bits.appendCode(0b0011_0000, count: 8)
    for _ in 0..<24 {
      bits.appendCode(0b1100_0101, count: 8)
      bits.appendCode(0, count: 5)
    }
    bits.appendCode(0, count: 7)
    let short = bits.finished()
    // Eight repeats are 13 bytes, which can be inserted any number of times.
    let rounds = max(0, megabytes) * 1_000_000 / (8 * 258)
    var bytes = Array(short[..<2])
    for _ in 0..<rounds { bytes += short[2..<15] }
    bytes += short[2...]
    let count = (24 + 8 * rounds) * 258 + 1
    let checksum = UInt32(count % 65_521) << 16 | 1
    return [0x78, 0x9C] + bytes + littleEndian(checksum.byteSwapped)
  }

  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

  private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = .max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}

/// Writes bits, the lowest of each byte first.
private struct BitWriter {
  private var bytes: [UInt8] = []
  private var pending: UInt32 = 0
  private var pendingCount: UInt32 = 0

  mutating func append(_ bits: UInt32, count: UInt32) {
    pending |= bits << pendingCount
    pendingCount += count
    while pendingCount >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingCount -= 8
    }
  }

  /// Appends the highest bit first, as Huffman codes are stored.
  mutating func appendCode(_ code: UInt32, count: UInt32) {
    for place in stride(from: count, to: 0, by: -1) { append(code >> (place - 1) & 1, count: 1) }
  }

  mutating func finished() -> [UInt8] {
    if pendingCount > 0 { append(0, count: 8 - pendingCount) }
    return bytes
  }
}
