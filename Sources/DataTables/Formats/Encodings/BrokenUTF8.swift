internal import CScan

/// The reason why a text is not UTF-8 if no other encoding reads it: it ends within a character, or
/// some of its lines are in another encoding.
enum BrokenUTF8 {
  /// The number of bytes before and after the first one that is not UTF-8 that are examined.
  private static let sampleSize = 32 << 10
  /// Text in another encoding hardly begins with as many characters of UTF-8.
  private static let certainCount = 6

  /// The error for a byte that is not UTF-8; nil if another encoding may read the text.
  static func error(in bytes: any ByteStore, at offset: Int) throws -> TableError? {
    let before = try bytes.bytes(max(0, offset - sampleSize)..<offset)
    let earlier = characterCount(before)
    let after = try bytes.bytes(offset..<min(bytes.count, offset + sampleSize))
    if offset + after.count == bytes.count, isPartOfCharacter(after),
      earlier > 0 || after.count > 1
    {
      return .brokenEncoding(
        offset: offset, "the text ends within a character, so the file was probably cut off")
    }
    let (alone, later, others) = count(in: after, follows: before.last)
    let isLatin = alone > 0 && others * 8 <= alone
    guard
      earlier >= certainCount || isLatin && count(in: before, follows: nil).characters + later > 0
    else { return nil }
    let line = try TextPosition(of: offset, in: bytes).line
    let fitting =
      isLatin ? ", which may be in windows-1252," : ""
    return .brokenEncoding(
      offset: offset,
      "line \(line.grouped) has another encoding than other lines, and no encoding reads all; "
        + "convert line \(line.grouped)\(fitting) to UTF-8")
  }

  /// The number of characters of several bytes.
  private static func characterCount(_ bytes: [UInt8]) -> Int {
    bytes.count { $0 >= 0xC0 }
  }

  /// Whether bytes are the beginning of one character.
  private static func isPartOfCharacter(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, (0xC2...0xF4).contains(first) else { return false }
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    return bytes.count < length && bytes.dropFirst().allSatisfy { (0x80...0xBF).contains($0) }
  }

  /// The number of characters of a run. One of an alphabet other than Latin, alone between ASCII
  /// characters, is rather two characters of another encoding: `’é` in that of the Macintosh.
  private static func characters(of run: ArraySlice<UInt8>) -> Int {
    let count = run.count { $0 >= 0xC0 }
    guard count == 1, let lead = run.first else { return count }
    return (0xC2...0xC5).contains(lead) || lead >= 0xE0 ? 1 : 0
  }

  /// The number of single bytes between ASCII characters, of characters of several bytes, and of
  /// other bytes.
  private static func count(
    in bytes: [UInt8], follows last: UInt8?
  ) -> (alone: Int, characters: Int, others: Int) {
    var (alone, characters, others) = (0, 0, 0)
    var start = 0
    while start < bytes.count {
      let rest = bytes[start...]
      guard bytes[start] >= 0x80 else {
        start += 1
        continue
      }
      let run = rest.prefix { $0 >= 0x80 }
      let valid = run.withUnsafeBufferPointer { run in
        run.baseAddress.map { ds_utf8_valid_prefix($0, run.count) } ?? 0
      }
      if valid == run.count {
        characters += Self.characters(of: run)
      } else if run.count == 1, start > 0 || last ?? 0 < 0x80 {
        alone += 1
      } else {
        others += run.count
      }
      start += run.count
    }
    return (alone, characters, others)
  }
}
