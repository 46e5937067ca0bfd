internal import CScan

/// The bytes between two rows of a JSON text, used to guess where a row starts without reading the
/// text before it. A guess is right if the previous rows end exactly there.
struct JSONBoundary {
  private let bytes: [UInt8]
  /// The number of these bytes that precede the start of the second row.
  private let skipped: Int

  static let lineFeed = JSONBoundary(bytes: [0x0A], skipped: 1)

  private init(bytes: [UInt8], skipped: Int) {
    self.bytes = bytes
    self.skipped = skipped
  }

  /// The bytes between the first two elements of an array, from the closing brace of the first to
  /// the first value of the second.
  ///
  /// - Parameter sample: the start of the text.
  /// - Returns: nil unless both elements are objects, the second has a key, and at most 1,024 bytes
  ///   lie between.
  init?(elements sample: [UInt8]) {
    let padded = sample + [UInt8](repeating: 0, count: JSONScanner.padding)
    let scanner = JSONScanner(keys: JSONKeys(), newlinesAreSpace: true, depthLimit: .max)
    let found = padded.withUnsafeBufferPointer { buffer -> (boundary: Range<Int>, start: Int)? in
      guard let bytes = buffer.baseAddress,
        let opening = sample.firstIndex(where: { !JSONScanner.isSpace($0, true) }),
        let first = Self.nextObject(in: sample, after: opening),
        let firstEnd = scanner.scan(bytes, from: first, to: sample.count),
        let comma = sample[firstEnd...].firstIndex(of: UInt8(ascii: ",")),
        let second = Self.nextObject(in: sample, after: comma),
        scanner.scan(bytes, from: second, to: sample.count) != nil, !scanner.members.isEmpty
      else { return nil }
      return (firstEnd - 1..<scanner.members[0].start, second)
    }
    guard let found, found.boundary.count <= 1_024 else { return nil }
    bytes = Array(sample[found.boundary])
    skipped = found.start - found.boundary.lowerBound
  }

  private static func nextObject(in sample: [UInt8], after position: Int) -> Int? {
    let next = sample[(position + 1)...].firstIndex { !JSONScanner.isSpace($0, true) }
    return next.flatMap { sample[$0] == UInt8(ascii: "{") ? $0 : nil }
  }

  /// The start of the row after the first boundary in `sample`; nil without a boundary.
  func rowStart(in sample: [UInt8]) -> Int? {
    guard let first = bytes.first else { return nil }
    var position = 0
    while let found = sample[position...].firstIndex(of: first) {
      if sample[found...].starts(with: bytes) { return found + skipped }
      position = found + 1
    }
    return nil
  }
}
