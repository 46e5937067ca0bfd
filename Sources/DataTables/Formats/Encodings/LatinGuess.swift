/// Encodings of a text in Latin letters, by the letters with accents that languages have.
///
/// A byte such as 0xF8 is `ø` in Danish and `ř` in Czech. An encoding is likely if the bytes are
/// letters of one language in it.
struct LatinGuess {
  /// The likely encodings, the most likely first; empty if the text is hardly in Latin letters.
  let names: [String]

  init(_ sample: [UInt8]) {
    let texts = Self.encodings.compactMap { name -> (name: String, text: LatinText)? in
      guard case .success(let text)? = TextEncoding(named: name)?.utf8(of: sample[...]) else {
        return nil
      }
      return (name, LatinText(String(decoding: text, as: UTF8.self)))
    }
    var ranked: [(name: String, text: LatinText, score: Int)] = []
    for (name, text) in texts where !ranked.contains(where: { $0.text == text }) {
      // Those of older systems are rare.
      if Self.legacy.contains(name), ranked.first?.name == Self.western { continue }
      let scores = Self.languages.filter { $0.encodings.contains(name) }
        .compactMap { $0.score(of: text) }
      if let score = scores.max() { ranked.append((name, text, score)) }
    }
    // The sort is stable: of equal scores, the encoding that is more common.
    let order = ranked.indices.sorted { (-ranked[$0].score, $0) < (-ranked[$1].score, $1) }
    guard let best = order.first.map({ ranked[$0] }) else {
      names = []
      return
    }
    let others = order.dropFirst().map { ranked[$0] }.filter { $0.score * 4 >= best.score * 3 }
    names = ([best] + others.prefix(2)).map { choice in
      let hasControls = sample.contains { (0x80...0x9F).contains($0) }
      return choice.name == Self.western && !hasControls ? "latin1" : choice.name
    }
  }

  private static let western = "windows-1252"
  /// The most common first.
  private static let encodings =
    [
      western, "windows-1250", "windows-1254", "iso-8859-2", "windows-1257",
    ] + legacy
  private static let legacy = ["macintosh", "ibm850"]
  private static let westernEuropean = [western] + legacy
  private static let centralEuropean = ["windows-1250", "iso-8859-2"]
  private static let languages = [
    LatinLanguage(westernEuropean, "äöüß"),
    LatinLanguage(westernEuropean, "âæçéèêëîïôœûüÿ", atEnd: "àù"),
    LatinLanguage(westernEuropean, "áéíñóúü"),
    LatinLanguage(westernEuropean, "áâãàçéêíóôõúü"),
    LatinLanguage(westernEuropean, "é", atEnd: "àèìòù"),
    LatinLanguage(westernEuropean, "æøåé"),
    LatinLanguage(westernEuropean, "åäöé"),
    LatinLanguage(["windows-1252"], "áéíóúýþæöð", weight: 3),
    // Names from several languages.
    LatinLanguage(
      westernEuropean, "äöüßâæçéèêëîïôœûáíñóúãõøåà", atEnd: "ùìò", weight: 3),
    LatinLanguage(centralEuropean, "ąćęłńóśźż"),
    LatinLanguage(centralEuropean, "áčďéěíňóřšťúůýž"),
    LatinLanguage(centralEuropean, "áäčďéíľňóôšťúýž"),
    LatinLanguage(centralEuropean, "áéíóöőúüű"),
    LatinLanguage(centralEuropean, "ăâîşţ"),
    LatinLanguage(centralEuropean, "čćđšž"),
    LatinLanguage(["windows-1254"], "çğıİöşüâîû"),
    LatinLanguage(["windows-1257"], "ąčęėįšųūž"),
    LatinLanguage(["windows-1257"], "āčēģīķļņšūž"),
    LatinLanguage(["windows-1257"], "äöüõšž"),
  ]
}

/// The letters of a language that are not ASCII, and the encodings in which it is written.
private struct LatinLanguage {
  let encodings: [String]
  private let letters: Set<Unicode.Scalar>
  /// Letters that only end a word.
  private let finalLetters: Set<Unicode.Scalar>
  /// How much a letter of the language counts.
  private let weight: Int

  init(_ encodings: [String], _ letters: String, atEnd finalLetters: String = "", weight: Int = 4) {
    self.encodings = encodings
    self.letters = Set(letters.unicodeScalars)
    self.finalLetters = Set(finalLetters.unicodeScalars)
    self.weight = weight
  }

  /// How well a text fits the language; nil if it has too many other characters.
  func score(of text: LatinText) -> Int? {
    guard text.isLatin else { return nil }
    var (hits, misses) = (0, text.strange)
    for (letter, count) in text.letters {
      if letters.contains(letter) {
        hits += count.inside + count.final
      } else if finalLetters.contains(letter) {
        hits += count.final
        misses += count.inside
      } else {
        misses += count.inside + count.final
      }
    }
    return hits > 0 && misses * 8 <= hits ? (hits - 4 * misses) * weight : nil
  }
}

/// The characters of a decoded text that are not ASCII.
private struct LatinText: Equatable {
  /// The number of lowercase letters inside and at the end of words.
  private(set) var letters: [Unicode.Scalar: Count] = [:]
  /// The number of characters that are rare in text, and of uppercase letters after lowercase ones.
  private(set) var strange = 0
  /// The number of ASCII letters in words with other letters.
  private var plain = 0

  struct Count: Equatable {
    var inside = 0
    var final = 0
  }

  init(_ text: String) {
    var word: [Unicode.Scalar] = []
    var endsPhrase = false
    for scalar in text.unicodeScalars {
      if scalar.properties.isAlphabetic {
        if endsPhrase { strange += 1 }
        endsPhrase = false
        word.append(scalar)
        continue
      }
      endsPhrase =
        Self.quantities.contains(scalar) || !word.isEmpty && Self.openings.contains(scalar)
      if scalar.value >= 0x80, !Self.isSign(scalar) { strange += 1 }
      take(word)
      word.removeAll(keepingCapacity: true)
    }
    take(word)
  }

  /// Whether words have many ASCII letters too. Words in another alphabet have none.
  var isLatin: Bool {
    plain * 2 >= letters.values.reduce(0) { $0 + $1.inside + $1.final }
  }

  private mutating func take(_ word: [Unicode.Scalar]) {
    guard word.contains(where: { $0.value >= 0x80 }) else { return }
    var wasLowercase = false
    for (index, scalar) in word.enumerated() {
      if scalar.properties.isUppercase, wasLowercase { strange += 1 }
      wasLowercase = scalar.properties.isLowercase
      guard scalar.value >= 0x80 else {
        plain += 1
        continue
      }
      let lowercase = scalar.properties.lowercaseMapping.unicodeScalars
      // That of `İ` has two scalars.
      let letter = lowercase.count == 1 ? lowercase.first ?? scalar : scalar
      if index == word.count - 1 {
        letters[letter, default: Count()].final += 1
      } else {
        letters[letter, default: Count()].inside += 1
      }
    }
  }

  private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    signs.contains(scalar) || quantities.contains(scalar) || openings.contains(scalar)
  }

  private static let signs = Set("\u{A0}°§€©®™«»¿¡·ºª‘’–—…".unicodeScalars)
  /// Signs that no letter follows.
  private static let quantities = Set("£²³½¼¾±×".unicodeScalars)
  /// Signs that no letter follows directly after another one.
  private static let openings = Set("“”„‚•".unicodeScalars)
}
