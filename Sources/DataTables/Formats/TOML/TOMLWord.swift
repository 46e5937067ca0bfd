/// The values of words without quotes.
enum TOMLWord {
  /// nil for a word that is neither a bool, a number, a date nor a time. A time of day is a string.
  static func value(_ word: Slice<UnsafeRawBufferPointer>) -> Value? {
    var text = Array(word)
    switch String(decoding: word, as: UTF8.self) {
    case "true": return true
    case "false": return false
    case "inf", "+inf": return .real(Real(.infinity))
    case "-inf": return .real(Real(-.infinity))
    case "nan", "+nan", "-nan": return .real(Real(.nan))
    default: break
    }
    if let date = date(text) { return date }
    if isTime(text) { return .string(String(decoding: text, as: UTF8.self)) }
    if text.count > 2, text[0] == UInt8(ascii: "0"), let radix = radix(text[1]) {
      guard isDigit(text[2], radix),
        let digits = withoutUnderscores(text[2...], isDigit: { isDigit($0, radix) })
      else {
        return nil
      }
      return Int(String(decoding: digits, as: UTF8.self), radix: radix).map(Value.integer)
    }
    if text.first == UInt8(ascii: "+") {
      text.removeFirst()
      // A second sign.
      guard let first = text.first, isDigit(first, 10) else { return nil }
    }
    guard let number = withoutUnderscores(text[...], isDigit: { isDigit($0, 10) }) else {
      return nil
    }
    return number.withUnsafeBytes { Scalar.number($0) }
  }

  /// The word without underscores, which are allowed between digits only; nil if one is elsewhere.
  private static func withoutUnderscores(
    _ word: ArraySlice<UInt8>, isDigit: (UInt8) -> Bool
  ) -> [UInt8]? {
    guard let first = word.first, first != UInt8(ascii: "+") else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(word.count)
    for index in word.indices {
      guard word[index] == UInt8(ascii: "_") else {
        result.append(word[index])
        continue
      }
      guard index > word.startIndex, index + 1 < word.endIndex, isDigit(word[index - 1]),
        isDigit(word[index + 1])
      else { return nil }
    }
    return result
  }

  private static func radix(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "x"): 16
    case UInt8(ascii: "o"): 8
    case UInt8(ascii: "b"): 2
    default: nil
    }
  }

  private static func isDigit(_ byte: UInt8, _ radix: Int) -> Bool {
    Int(String(decoding: CollectionOfOne(byte), as: UTF8.self), radix: radix) != nil
  }

  /// A date in ISO form. `t` and `z` are written as capitals, and digits of a fraction beyond the
  /// ninth are dropped, as TOML allows.
  private static func date(_ word: [UInt8]) -> Value? {
    guard word.count >= 10, word[4] == UInt8(ascii: "-") else { return nil }
    var text = word
    if text.count > 10, text[10] == UInt8(ascii: "t") { text[10] = UInt8(ascii: "T") }
    if text.last == UInt8(ascii: "z") { text[text.count - 1] = UInt8(ascii: "Z") }
    if let point = text.firstIndex(of: UInt8(ascii: ".")) {
      let digits = text[(point + 1)...].prefix { isDigit($0, 10) }
      if digits.count > 9 { text.removeSubrange(digits.startIndex + 9..<digits.endIndex) }
    }
    // Other ISO forms of an offset, `+01` and `+0100`, are not TOML.
    if text.count > 16, let sign = text[16...].firstIndex(where: { $0 == 0x2B || $0 == 0x2D }),
      text.count - sign != 6 || text[sign + 3] != UInt8(ascii: ":")
    {
      return nil
    }
    return text.withUnsafeBytes { Scalar.date($0) }.map(Value.date)
  }

  /// Whether the word is a time of day, `07:32`, `07:32:00` or `07:32:00.5`: what may follow a date.
  private static func isTime(_ word: [UInt8]) -> Bool {
    guard word.count >= 5, word[2] == UInt8(ascii: ":"), word.count <= 18 else { return false }
    let moment = (Array("2000-01-01T".utf8) + word).withUnsafeBytes { Scalar.moment($0) }
    return moment != nil && moment?.offset == nil
  }
}
