internal import CScan

/// Texts that a wrong encoding also reads, without an error, as other characters.
enum MistakenEncoding {
  private static let sampleSize = 16 << 10
  /// Shorter texts may be a few characters of UTF-16 by accident.
  private static let leastSize = 8
  private static let escape: UInt8 = 0x1B

  /// - Parameter name: the value of `encoding:`.
  /// - Throws: ``TableError/format(_:at:)`` for a text in ISO-2022-JP without a value, and for UTF-8
  ///   that is given as UTF-16 or UTF-32.
  static func check(_ bytes: any ByteStore, encoding name: String?) throws {
    let sample = try bytes.bytes(0..<min(sampleSize, bytes.count))
    guard let name else {
      if isISO2022JP(sample) {
        throw TableError.format(
          "the text is in ISO-2022-JP, not UTF-8; add `encoding: iso-2022-jp`", at: nil)
      }
      return
    }
    guard let encoding = TextEncoding(named: name), encoding.hasWideUnits, isUTF8(sample),
      !sample.starts(with: encoding.byteOrderMark)
    else { return }
    throw TableError.format(
      "the text is UTF-8, not \(encoding.name); use `encoding: utf-8`", at: nil)
  }

  /// Whether a text of ASCII bytes switches to Japanese characters, as no other text does.
  /// - Complexity: O(1) for most texts, whose first bytes have no ESC.
  private static func isISO2022JP(_ sample: [UInt8]) -> Bool {
    guard let first = sample.firstIndex(of: escape, in: 0..<sample.count) else { return false }
    guard sample.allSatisfy({ $0 > 0 && $0 < 0x80 }) else { return false }
    return sample[first...].indices.contains { index in
      // ESC $ @ and ESC $ B (RFC 1468).
      sample[index] == escape && index + 2 < sample.count && sample[index + 1] == UInt8(ascii: "$")
        && (sample[index + 2] == UInt8(ascii: "@") || sample[index + 2] == UInt8(ascii: "B"))
    }
  }

  /// Whether bytes are UTF-8 without zeros. Nearly all text in UTF-16 has zeros, those of its
  /// delimiters and line ends, or bytes that are not UTF-8.
  private static func isUTF8(_ sample: [UInt8]) -> Bool {
    guard sample.count >= leastSize, !sample.contains(0) else { return false }
    let valid = sample.withUnsafeBufferPointer { ds_utf8_valid_prefix($0.baseAddress, $0.count) }
    // The last character may be cut.
    return valid > sample.count - 4
  }
}
