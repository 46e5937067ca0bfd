internal import CScan

/// Finds an encoding for a text that is not UTF-8.
///
/// A single encoding is suggested only if the bytes decide: if they are characters of one script in
/// it, and clearly more common ones than in other encodings.
struct EncodingGuess {
  private let sample: [UInt8]
  /// The encodings in which the bytes may be, the most likely first; one if the bytes decide.
  let names: [String]

  private static let sampleSize = 64 << 10

  /// - Parameter offset: the offset of a byte that is not UTF-8.
  init(_ bytes: any ByteStore, around offset: Int) throws {
    let start = max(0, offset - Self.sampleSize / 2)
    var sample = try bytes.bytes(start..<min(bytes.count, start + Self.sampleSize))
    // Start and end with whole lines, and so with whole characters.
    if start > 0, let end = sample.firstIndex(of: 0x0A), end + 1 < offset - start {
      sample.removeFirst(end + 1)
    }
    if start + Self.sampleSize < bytes.count, let end = sample.lastIndex(of: 0x0A),
      end > sample.count / 2
    {
      sample.removeLast(sample.count - end)
    }
    self.init(sample)
  }

  init(_ sample: [UInt8]) {
    self.sample = sample
    names = Self.names(for: sample)
  }

  /// The most likely encoding of a text that is not in another one at an offset; nil if none is
  /// likely.
  static func name(for bytes: any ByteStore, around offset: Int) throws -> String? {
    let guess = try Self(bytes, around: offset)
    let isUTF8 = guess.sample.withUnsafeBufferPointer { sample in
      sample.baseAddress.map { ds_utf8_valid_prefix($0, sample.count) == sample.count } ?? false
    }
    return isUTF8 ? "utf-8" : guess.names.first
  }

  /// The error of a text that is not UTF-8 at an offset.
  func error(at offset: Int) -> TableError {
    if names.count > 1 {
      return .undecidedEncoding(offset: offset, fitting: Array(names.prefix(4)))
    }
    return .encoding(expected: TextEncoding.utf8.name, offset: offset, fitting: names.first)
  }

  /// - Throws: ``TableError/encoding(expected:offset:fitting:)`` for a text in UTF-16 without a byte
  ///   order mark.
  static func checkUTF16(_ bytes: any ByteStore, firstNUL: Int) throws {
    let raw = try bytes.bytes(0..<min(bytes.count, sampleSize))
    let even = raw.count - raw.count % 2
    // The high bytes of ASCII, such as delimiters and line ends, are on one side. A few characters,
    // such as that for "one" in Chinese, have a low byte of zero.
    let counts = stride(from: 0, to: even, by: 2).reduce(into: (little: 0, big: 0)) {
      counts, index in
      if raw[index + 1] == 0 { counts.little += 1 }
      if raw[index] == 0 { counts.big += 1 }
    }
    let isBigEndian = counts.big > counts.little
    // A single zero byte says little.
    guard bytes.count % 2 == 0, counts.little + counts.big > 1,
      max(counts.little, counts.big) > 2 * min(counts.little, counts.big)
    else { return }
    let encoding = isBigEndian ? TextEncoding.utf16BigEndian : .utf16LittleEndian
    for missing in [0, 2] {
      guard case .success(let text) = encoding.utf8(of: raw[..<max(0, even - missing)]) else {
        continue
      }
      let isText = String(decoding: text, as: UTF8.self).unicodeScalars.allSatisfy { scalar in
        scalar.value >= 0x20 && scalar.properties.generalCategory != .unassigned
          && scalar.properties.generalCategory != .privateUse
          || scalar == "\n" || scalar == "\r" || scalar == "\t"
      }
      guard isText else { return }
      throw TableError.encoding(
        expected: TextEncoding.utf8.name, offset: firstNUL,
        fitting: isBigEndian ? "utf-16be" : "utf-16le")
    }
  }
}

extension EncodingGuess {
  private static func names(for sample: [UInt8]) -> [String] {
    if sample.contains(0) { return [] }
    let latinNames = LatinGuess(sample).names
    if !latinNames.isEmpty { return latinNames }
    let runs = highRuns(of: sample)
    if hasLatinWords(sample) { return latin(sample, runs) }
    // Latin words have few letters with accents in a row.
    let scripts = ScriptGuess(sample, hasWords: runs.bytes * 2 >= runs.count * 5)
    return scripts.names.isEmpty ? latin(sample, runs) : scripts.names
  }

  /// Encodings of Latin letters. With few accents, only Western European ones are likely.
  private static func latin(
    _ sample: [UInt8], _ runs: (count: Int, bytes: Int)
  ) -> [String] {
    let controls = sample.filter { (0x80...0x9F).contains($0) }
    let western: String? =
      controls.isEmpty
      ? "latin1" : text(sample, "windows-1252") == nil ? nil : "windows-1252"
    if runs.count >= 8, let best = decided(sample) { return [best] }
    // Letters, signs, quotes, dashes, ellipsis and the euro sign.
    let isWestern = sample.allSatisfy { byte in
      byte < 0x80 || byte >= 0xC0 || (0x91...0x97).contains(byte) || byte == 0x80 || byte == 0x85
        || westernSigns.contains(byte)
    }
    if let western, isWestern, runs.count < 8 { return [western] }
    let others = ["windows-1250", "windows-1254"].filter { text(sample, $0) != nil }
    return [western].compactMap { $0 } + others
  }

  /// The encoding of Latin letters that ICU's statistics clearly prefer; nil if none is clear.
  private static func decided(_ sample: [UInt8]) -> String? {
    let names = [
      "ISO-8859-1": "latin1", "windows-1252": "windows-1252", "windows-1250": "windows-1250",
      "ISO-8859-2": "iso-8859-2", "ISO-8859-9": "windows-1254",
    ]
    let ranked = EncodingStatistics.confidences(in: sample).compactMap { match in
      names[match.name].map { (name: $0, confidence: match.confidence) }
    }.sorted { $0.confidence > $1.confidence }
    guard let best = ranked.first, best.confidence >= 15 else { return nil }
    if ranked.count > 1, ranked[1].confidence * 4 > best.confidence * 3 { return nil }
    return best.name
  }

  /// The text in an encoding; nil if the bytes are not valid in it.
  private static func text(_ sample: [UInt8], _ name: String) -> String? {
    guard case .success(let text)? = TextEncoding(named: name)?.utf8(of: sample[...]) else {
      return nil
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether nearly all bytes that are not ASCII stand alone, as accented letters next to ASCII
  /// letters or as signs. Characters of two bytes, and words in other alphabets, have them in a row.
  private static func hasLatinWords(_ sample: [UInt8]) -> Bool {
    var (alone, others) = (0, 0)
    for index in sample.indices where sample[index] >= 0x80 {
      let before = index > 0 ? sample[index - 1] : 0
      let after = index + 1 < sample.count ? sample[index + 1] : 0
      let isLetter = sample[index] >= 0xC0 && (before.isLetter || after.isLetter)
      if before < 0x80, after < 0x80, isLetter || westernSigns.contains(sample[index]) {
        alone += 1
      } else {
        others += 1
      }
    }
    return alone > 0 && others * 8 <= alone
  }

  /// The no-break space and `£§°º` of Latin-1.
  private static let westernSigns: [UInt8] = [0xA0, 0xA3, 0xA7, 0xB0, 0xBA]

  /// The number of runs of bytes that are not ASCII, and the number of these bytes.
  private static func highRuns(of sample: [UInt8]) -> (count: Int, bytes: Int) {
    var count = 0
    var bytes = 0
    var isHigh = false
    for byte in sample {
      if byte >= 0x80, !isHigh { count += 1 }
      isHigh = byte >= 0x80
      if isHigh { bytes += 1 }
    }
    return (count, bytes)
  }
}
