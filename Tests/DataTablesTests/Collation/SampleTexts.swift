import TestSupport

@testable import DataTables

/// Random, similar strings of twelve scripts, so that accents, case, digits and marks determine the
/// order.
struct SampleTexts {
  static let scripts: [String: [Character]] = [
    "ascii": Array("aAbBcZz019 -_.#"),
    "latin": Array("aáàâäAÁÄeéèEÉoöøOÖsßSnñNçc12 "),
    "greek": Array("αάΑΆεέβΒγσςΣωΩ01"),
    "cyrillic": Array("аАбБеёЁийИЙжЖяЯ12"),
    "hebrew": Array("אבגדהושם1 "),
    "arabic": Array("ابتثجحآأإة12"),
    "devanagari": Array("अआइकखगज1"),
    "thai": Array("กขคงจฉา12"),
    "hangul": Array("가각나다힣한글1"),
    "kana": Array("あアいイかカがガきキ1"),
    "han": Array("一二三中国東京1"),
    "mixed": Array("aAéжЖαあ中가0 1#"),
  ]
  /// Sorted, so that the order is the same in every run.
  static let names = scripts.keys.sorted()

  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func text(_ script: String) -> String {
    let characters = Self.scripts[script] ?? []
    let length = Int.random(in: 0...6, using: &random)
    return String((0..<length).compactMap { _ in characters.randomElement(using: &random) })
  }

  /// Two strings of one script; the second is often the first with a small change.
  mutating func pair(_ script: String) -> (String, String) {
    let left = text(script)
    guard Bool.random(using: &random), !left.isEmpty else { return (left, text(script)) }
    var characters = Array(left)
    let place = Int.random(in: 0..<characters.count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: characters[place] = Self.scripts[script]?.randomElement(using: &random) ?? "a"
    case 1: characters.remove(at: place)
    case 2:
      let other = Array(String(characters[place]).uppercased())
      characters.replaceSubrange(place...place, with: other)
    default:
      let other = Array(String(characters[place]).lowercased())
      characters.replaceSubrange(place...place, with: other)
    }
    return (left, String(characters))
  }
}
