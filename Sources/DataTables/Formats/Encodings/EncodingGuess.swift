/// Finds an encoding for a text that is not UTF-8.
///
/// A single encoding is suggested only if the bytes decide: if they are characters of one script in
/// it, and ICU's statistics prefer it clearly to the others in which they are.
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
  private static let multibyte = ["Shift_JIS", "EUC-JP", "GB18030", "Big5", "EUC-KR"]
  private static let alphabets = [
    "windows-1251", "KOI8-R", "ISO-8859-5", "IBM866", "windows-1253", "ISO-8859-7", "windows-1255",
    "windows-1256", "windows-874",
  ]

  /// Encodings that ICU's statistics name, with the encodings that include their letters.
  private static let supersets = [
    "ISO-8859-8": "windows-1255", "ISO-8859-8-I": "windows-1255", "ISO-8859-9": "windows-1254",
  ]

  private static func names(for sample: [UInt8]) -> [String] {
    if sample.contains(0) { return [] }
    let confidences = Dictionary(
      EncodingStatistics.confidences(in: sample).map {
        (supersets[$0.name] ?? $0.name, $0.confidence)
      },
      uniquingKeysWith: max)
    let runs = highRuns(of: sample)
    if hasLatinWords(sample) { return latin(sample, confidences, runs) }
    let wide = multibyte.filter { name in
      text(sample, name).map { EncodedScript(of: $0).isEastAsian } ?? false
    }
    let fitting = alphabets.filter { name in
      text(sample, name).map { EncodedScript(of: $0).isOneAlphabet } ?? false
    }
    if !wide.isEmpty {
      if let best = decided(wide, confidences, least: 40) { return [best] }
      // Kana decide for Japanese; the code rows of EUC-JP and GB 18030 have them at the same place.
      let japanese = wide.first { name in
        multibyte.prefix(2).contains(name)
          && text(sample, name).map { EncodedScript(of: $0).kana > 1 } ?? false
      }
      if let japanese { return [japanese.lowercased()] }
      return (fitting.prefix(2) + wide.prefix(2)).map { $0.lowercased() }
    }
    // Latin words have few letters with accents in a row.
    if runs.bytes * 2 >= runs.count * 5 {
      if let best = decided(fitting, confidences, least: 15) { return [best] }
      if !fitting.isEmpty {
        return fitting.sorted { confidences[$0] ?? 0 > confidences[$1] ?? 0 }.map {
          $0.lowercased()
        }
      }
    }
    return latin(sample, confidences, runs)
  }

  /// Encodings of Latin letters. With few accents, only Western European ones are likely.
  private static func latin(
    _ sample: [UInt8], _ confidences: [String: Int], _ runs: (count: Int, bytes: Int)
  ) -> [String] {
    let controls = sample.filter { (0x80...0x9F).contains($0) }
    let western: String? =
      controls.isEmpty
      ? "latin1" : text(sample, "windows-1252") == nil ? nil : "windows-1252"
    let names = ["ISO-8859-1", "windows-1252", "windows-1250", "ISO-8859-2", "windows-1254"]
    if runs.count >= 8, let best = decided(names, confidences, least: 15) {
      return [best == "iso-8859-1" ? "latin1" : best]
    }
    // Letters, signs, quotes, dashes, ellipsis and the euro sign.
    let isWestern = sample.allSatisfy { byte in
      byte < 0x80 || byte >= 0xC0 || (0x91...0x97).contains(byte) || byte == 0x80 || byte == 0x85
        || westernSigns.contains(byte)
    }
    if let western, isWestern, runs.count < 8 { return [western] }
    let others = ["windows-1250", "windows-1254"].filter { text(sample, $0) != nil }
    return [western].compactMap { $0 } + others
  }

  /// The name that ICU's statistics clearly prefer; nil if none is clear.
  private static func decided(
    _ names: [String], _ confidences: [String: Int], least: Int
  ) -> String? {
    if names.count == 1, let name = names.first,
      multibyte.contains(name) || alphabets.contains(name)
    {
      return name.lowercased()
    }
    let ranked = names.map { (name: $0, confidence: confidences[$0] ?? 0) }
      .sorted { $0.confidence > $1.confidence }
    guard let best = ranked.first, best.confidence >= least else { return nil }
    if ranked.count > 1, ranked[1].confidence * 4 > best.confidence * 3 { return nil }
    return best.name.lowercased()
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

/// The scripts of the characters of a text that are not ASCII.
private struct EncodedScript {
  private(set) var kana = 0
  private var eastAsian = 0
  private var letters: [String: Int] = [:]
  private var others = 0
  /// Uppercase letters after lowercase ones, which words rarely have.
  private var irregular = 0

  init(of text: String) {
    var wasLowercase = false
    for scalar in text.unicodeScalars where scalar.value >= 0x80 {
      switch scalar.value {
      case 0x3041...0x30FF:
        kana += 1
        eastAsian += 1
      case 0x3000...0x3040, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFF01...0xFF5E: eastAsian += 1
      case 0x0370...0x03FF: letters["Greek", default: 0] += 1
      case 0x0400...0x045F, 0x0490, 0x0491: letters["Cyrillic", default: 0] += 1
      case 0x05D0...0x05EA: letters["Hebrew", default: 0] += 1
      case 0x0621...0x064A, 0x060C, 0x061B, 0x061F: letters["Arabic", default: 0] += 1
      case 0x0E01...0x0E3A, 0x0E3F...0x0E5B: letters["Thai", default: 0] += 1
      default: if !scalar.properties.isWhitespace { others += 1 }
      }
    }
    for scalar in text.unicodeScalars {
      if scalar.value >= 0x80, wasLowercase, scalar.properties.isUppercase { irregular += 1 }
      wasLowercase = scalar.properties.isLowercase
    }
  }

  var isEastAsian: Bool { eastAsian > 0 && others == 0 && letters.isEmpty }

  /// Whether the letters are those of one alphabet other than Latin, with few other characters.
  var isOneAlphabet: Bool {
    let count = letters.values.reduce(0, +)
    return letters.count == 1 && eastAsian == 0 && others * 10 <= count && irregular * 10 <= count
  }
}
