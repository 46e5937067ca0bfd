/// Folds plain texts (``PlainScalars``) without making strings. It folds each scalar of a text and keeps
/// the result for the next time.
struct TextFolding {
  private let options: ComparisonOperator.Options
  /// For each block of 256 scalars, the place of its results; -1 if none is known.
  private var blocks = [Int32](repeating: -1, count: 0x11_0000 / Self.blockSize)
  /// The bytes of results, the first one lowest, and their number in the highest byte; ``unknown`` or
  /// ``notPlain`` for others.
  private var results: [UInt64] = []
  private var buffer: [UInt8] = []
  /// The length of the text that was folded last, at the start of the buffer.
  private var count = 0

  private static let blockSize = 256
  private static let maxLength = 7
  private static let unknown = UInt64.max
  private static let notPlain = UInt64.max - 1

  init(_ options: ComparisonOperator.Options) { self.options = options }

  /// Folds a text; false if the text or the folded text is not plain.
  mutating func fold(_ text: UnsafeRawBufferPointer) -> Bool {
    // Room for the longest results, each written as a whole word.
    let room = (text.count + 1) * MemoryLayout<UInt64>.size
    // Taken out, so that it is not copied.
    var buffer = buffer
    self.buffer = []
    defer { self.buffer = buffer }
    if buffer.count < room { buffer = [UInt8](repeating: 0, count: room) }
    count = 0
    return buffer.withUnsafeMutableBytes { buffer in
      var index = 0
      while index < text.count {
        var scalar = UInt32(text[index])
        var length = 1
        if scalar >= 0x80 {
          guard let found = text.scalar(at: index) else { return false }
          (scalar, length) = found
        }
        let place = place(of: scalar)
        if results[place] == Self.unknown { results[place] = result(for: scalar) }
        let bytes = results[place]
        if bytes == Self.notPlain { return false }
        buffer.storeBytes(of: bytes.littleEndian, toByteOffset: count, as: UInt64.self)
        count += Int(bytes >> 56)
        index += length
      }
      return true
    }
  }

  /// The result of `body` for the text that was folded last.
  func withFolded<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  private mutating func place(of scalar: UInt32) -> Int {
    let (block, offset) = Int(scalar).quotientAndRemainder(dividingBy: Self.blockSize)
    if blocks[block] < 0 {
      blocks[block] = Int32(results.count)
      results += repeatElement(Self.unknown, count: Self.blockSize)
    }
    return Int(blocks[block]) + offset
  }

  private func result(for scalar: UInt32) -> UInt64 {
    guard PlainScalars.contains(scalar), let plain = Unicode.Scalar(scalar) else {
      return Self.notPlain
    }
    let folded = Array(options.fold(String(plain)).utf8)
    guard folded.count <= Self.maxLength, folded.withUnsafeBytes({ $0.isPlain }) else {
      return Self.notPlain
    }
    return folded.reversed().reduce(0) { $0 << 8 | UInt64($1) } | UInt64(folded.count) << 56
  }
}
