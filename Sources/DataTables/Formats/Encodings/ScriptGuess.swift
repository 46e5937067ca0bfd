/// Encodings of a text in an alphabet other than Latin or in East Asian characters, by how common
/// its characters are.
struct ScriptGuess {
  /// The likely encodings, the most likely first.
  let names: [String]

  /// Encodings whose texts score nearly as well may be meant.
  private static let margin = 0.2

  /// - Parameter hasWords: whether bytes that are not ASCII are in a row, as in words of other
  ///   alphabets.
  init(_ sample: [UInt8], hasWords: Bool) {
    var scores: [(name: String, score: Double)] = []
    let statistics = EncodingStatistics.confidences(in: sample)
    for encoding in WideEncoding.all {
      guard let script = Self.script(of: sample, encoding.name), script.isEastAsian else {
        continue
      }
      let confidence =
        statistics.first { $0.name.lowercased() == encoding.name }?.confidence ?? 0
      let score = encoding.score(of: sample, hasKana: script.kana > 1)
      scores.append((encoding.name, score + Double(confidence) / 400))
    }
    if hasWords {
      for name in Self.alphabets {
        // They differ in the letters of Ukrainian alone.
        if name == "koi8-u", Self.text(of: sample, name) == Self.text(of: sample, "koi8-r") {
          continue
        }
        guard let script = Self.script(of: sample, name), script.isOneAlphabet else { continue }
        scores.append((name, script.commonness))
      }
    }
    if let score = Self.halfWidthScore(of: sample) { scores.append(("shift_jis", score)) }
    let order = scores.indices.sorted { (-scores[$0].score, $0) < (-scores[$1].score, $1) }
    let best = order.first.map { scores[$0].score } ?? 0
    // A short text may have rare letters.
    let margin = Self.margin + 1 / Double(max(1, sample.count { $0 >= 0x80 }))
    names = order.filter { scores[$0].score > best - margin }.map { scores[$0].name }
  }

  private static let alphabets = [
    "windows-1251", "koi8-r", "koi8-u", "iso-8859-5", "ibm866", "windows-1253", "iso-8859-7",
    "windows-1255", "windows-1256", "iso-8859-6", "windows-874",
  ]

  /// Kana of half the width are single bytes in Shift JIS; the upper half of them are capitals in
  /// other encodings.
  private static func halfWidthScore(of sample: [UInt8]) -> Double? {
    guard script(of: sample, "shift_jis").map(\.isHalfWidth) == true else { return nil }
    let kana = sample.count { (0xA1...0xDF).contains($0) }
    return sample.count { (0xA1...0xBF).contains($0) } * 8 >= kana ? 0.9 : 0.4
  }

  private static func script(of sample: [UInt8], _ name: String) -> EncodedScript? {
    text(of: sample, name).map { EncodedScript(of: String(decoding: $0, as: UTF8.self)) }
  }

  private static func text(of sample: [UInt8], _ name: String) -> [UInt8]? {
    guard case .success(let text)? = TextEncoding(named: name)?.utf8(of: sample[...]) else {
      return nil
    }
    return text
  }
}

/// An encoding with characters of two bytes, and the first bytes of its common characters.
private struct WideEncoding {
  let name: String
  private let common: [ClosedRange<UInt8>]
  /// The least second byte of common characters.
  private let leastTrail: UInt8
  /// The first bytes of punctuation and Latin letters, which say nothing.
  private let signs: ClosedRange<UInt8>
  /// Whether texts nearly always have kana.
  private let needsKana: Bool
  /// Whether texts in other encodings rarely have only such characters.
  private let isCertain: Bool
  /// The number of different characters that rarely are common ones by accident.
  private static let certainCount = 6

  static let all = [
    // Hangul. A text of Chinese characters that are all Hangul in this encoding is rare.
    WideEncoding("euc-kr", [0xB0...0xC8], leastTrail: 0xA1, signs: 0xA1...0xA3, isCertain: true),
    // The characters of the first level, ordered by their pronunciation.
    WideEncoding("gb18030", [0xB0...0xD7], leastTrail: 0xA1, signs: 0xA1...0xA3),
    WideEncoding("shift_jis", [0x82...0x83, 0x88...0x97], leastTrail: 0x40, signs: 0x81...0x81),
    WideEncoding("big5", [0xA4...0xC6], leastTrail: 0x40, signs: 0xA1...0xA3),
    WideEncoding(
      "euc-jp", [0xA4...0xA5, 0xB0...0xCF], leastTrail: 0xA1, signs: 0xA1...0xA3, needsKana: true),
  ]

  private init(
    _ name: String, _ common: [ClosedRange<UInt8>], leastTrail: UInt8, signs: ClosedRange<UInt8>,
    needsKana: Bool = false, isCertain: Bool = false
  ) {
    self.name = name
    self.common = common
    self.leastTrail = leastTrail
    self.signs = signs
    self.needsKana = needsKana
    self.isCertain = isCertain
  }

  /// The part of the characters that are common, from 0 to 1.
  func score(of sample: [UInt8], hasKana: Bool) -> Double {
    var (count, hits) = (0, 0)
    var distinct: Set<[UInt8]> = []
    var index = 0
    while index < sample.count {
      let lead = sample[index]
      guard lead >= 0x80, index + 1 < sample.count else {
        index += 1
        continue
      }
      if !signs.contains(lead) {
        count += 1
        if distinct.count < Self.certainCount { distinct.insert([lead, sample[index + 1]]) }
        if sample[index + 1] >= leastTrail, common.contains(where: { $0.contains(lead) }) {
          hits += 1
        }
      }
      index += 2
    }
    let score = count == 0 ? 0.5 : Double(hits) / Double(count)
    if isCertain, distinct.count >= Self.certainCount, hits == count { return score + 0.25 }
    return needsKana && !hasKana ? score * 0.8 : score
  }
}

/// The scripts of the characters of a text that are not ASCII.
private struct EncodedScript {
  private(set) var kana = 0
  /// Kana of half the width.
  private var halfWidth = 0
  private var eastAsian = 0
  private var letters: [Alphabet: Int] = [:]
  private var others = 0
  /// Uppercase letters after lowercase ones, and Hebrew letters after forms that end a word.
  private var irregular = 0
  /// Hebrew words that end with such a form.
  private var finals = 0
  private var weight = 0.0
  private var lowercase = 0
  /// Greek words in small letters have accents.
  private var hasGreekAccents = false

  private enum Alphabet { case greek, cyrillic, hebrew, arabic, thai }

  init(of text: String) {
    var wasLowercase = false
    var last: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      if scalar.value >= 0x80 { take(scalar) }
      if Self.finalForms.contains(last) {
        if (0x05D0...0x05EA).contains(scalar.value) { irregular += 1 } else { finals += 1 }
      }
      last = scalar
      if scalar.value >= 0x80, wasLowercase, scalar.properties.isUppercase { irregular += 1 }
      wasLowercase = scalar.properties.isLowercase
    }
  }

  private mutating func take(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x3041...0x30FF:
      kana += 1
      eastAsian += 1
    case 0x3000...0x3040, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFF01...0xFF5E: eastAsian += 1
    case 0xFF61...0xFF9F: halfWidth += 1
    case 0x0370...0x03FF: count(scalar, .greek)
    case 0x0400...0x045F, 0x0490, 0x0491: count(scalar, .cyrillic)
    case 0x05D0...0x05EA: count(scalar, .hebrew)
    case 0x0621...0x064A, 0x060C, 0x061B, 0x061F: count(scalar, .arabic)
    case 0x0E01...0x0E3A, 0x0E3F...0x0E5B: count(scalar, .thai)
    default: if !scalar.properties.isWhitespace { others += 1 }
    }
  }

  private mutating func count(_ scalar: Unicode.Scalar, _ alphabet: Alphabet) {
    letters[alphabet, default: 0] += 1
    if scalar.properties.isLowercase { lowercase += 1 }
    if (0x03AC...0x03AF).contains(scalar.value) || (0x03CC...0x03CE).contains(scalar.value) {
      hasGreekAccents = true
    }
    let letter = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
    weight += Self.common.contains(letter) ? 1 : Self.usual.contains(letter) ? 0.5 : 0
  }

  /// Halves of characters of two bytes are kana of half the width too.
  var isEastAsian: Bool { eastAsian > 0 && others == 0 && halfWidth == 0 && letters.isEmpty }

  var isHalfWidth: Bool { halfWidth > 0 && others == 0 && letters.isEmpty }

  /// Whether the letters are those of one alphabet, with few other characters.
  var isOneAlphabet: Bool {
    let count = letters.values.reduce(0, +)
    return letters.count == 1 && eastAsian == 0 && (others + halfWidth) * 10 <= count
      && irregular * 10 <= count
  }

  /// How common the letters are in texts of their alphabet, from 0 to 1; about 0.8 for such a text.
  var commonness: Double {
    let mean = weight / Double(max(1, letters.values.reduce(0, +)))
    if letters[.greek] != nil, lowercase > 0, !hasGreekAccents { return mean / 2 }
    if letters[.hebrew] != nil, finals > 0, irregular == 0 { return mean + 0.2 }
    // Few texts are in capitals.
    return lowercase == 0 && letters[.greek] ?? letters[.cyrillic] != nil ? mean * 0.8 : mean
  }

  private static let finalForms = Set("ךםןףץ".unicodeScalars)
  /// The letters that make up two thirds of texts in each alphabet.
  private static let common = Set(
    ("оеаинтсрвл" + "αοιετσνηυρςάόίέή" + "יוהלאתרבמש" + "الينموتربة" + "านรอกเงมยล่้ัิี").unicodeScalars)
  /// Those that make up nearly all of the rest.
  private static let usual = Set(
    ("кмдпуяыьгзбчіёїє" + "πκμλωγδθχφύώβ" + "נםדעחפקכגטןצ" + "دعسفهكقحجأشطصخى"
      + "วดทสตะปบคหแจพชขใไโู็์ึืุผ").unicodeScalars)
}
