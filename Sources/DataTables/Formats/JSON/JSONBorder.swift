internal import CScan

/// How one row of a JSON text is told from the next without reading what is before: a guess, which
/// holds where the rows before end exactly there.
struct JSONBorder {
  private let bytes: [UInt8]
  /// How many of the bytes belong to the row before, or stand between.
  private let skipped: Int

  static let lineFeed = JSONBorder(bytes: [0x0A], skipped: 1)

  private init(bytes: [UInt8], skipped: Int) {
    self.bytes = bytes
    self.skipped = skipped
  }

  /// What stands between the first two elements of an array, from the brace of the one to the first
  /// key of the other.
  ///
  /// - Parameter sample: what the text begins with.
  /// - Returns: nil where there are no two records.
  init?(elements sample: [UInt8]) {
    let padded = sample + [UInt8](repeating: 0, count: JSONScanner.padding)
    let scanner = JSONScanner(keys: JSONKeys(), newlinesAreSpace: true, depthLimit: .max)
    let found = padded.withUnsafeBufferPointer { buffer -> (border: Range<Int>, start: Int)? in
      guard let bytes = buffer.baseAddress,
        let opening = sample.firstIndex(where: { !JSONScanner.isSpace($0, true) }),
        let first = Self.nextRecord(in: sample, behind: opening),
        let firstEnd = scanner.scan(bytes, from: first, to: sample.count),
        let comma = sample[firstEnd...].firstIndex(of: UInt8(ascii: ",")),
        let second = Self.nextRecord(in: sample, behind: comma),
        scanner.scan(bytes, from: second, to: sample.count) != nil, !scanner.members.isEmpty
      else { return nil }
      return (firstEnd - 1..<scanner.members[0].start, second)
    }
    guard let found, found.border.count <= 1_024 else { return nil }
    bytes = Array(sample[found.border])
    skipped = found.start - found.border.lowerBound
  }

  private static func nextRecord(in sample: [UInt8], behind place: Int) -> Int? {
    let next = sample[(place + 1)...].firstIndex { !JSONScanner.isSpace($0, true) }
    return next.flatMap { sample[$0] == UInt8(ascii: "{") ? $0 : nil }
  }

  /// Where a row begins behind the first border in `sample`.
  func rowStart(in sample: [UInt8]) -> Int? {
    guard let first = bytes.first else { return nil }
    var place = 0
    while let found = sample[place...].firstIndex(of: first) {
      if sample[found...].starts(with: bytes) { return found + skipped }
      place = found + 1
    }
    return nil
  }
}
