/// The notations that fit all cells of a column that are neither numbers nor dates.
///
/// Once no notation fits, further cells are ignored.
struct Readings: Sendable {
  /// The first cell, which reports quote.
  private(set) var first = ""
  /// Whether all cells are the same.
  private(set) var isOneValue = true
  private var count = 0
  /// The pair of words to which all cells belong.
  private var words: BoolWord.Pair?
  private var mayBeWords = true
  private var hasTrue = false, hasFalse = false
  private var mayBeHexadecimal = true
  private var hasPrefix = false, hasDigit = false
  private var styles = Self.allStyles
  /// The unit of the cells; nil if they have none.
  private(set) var unit: [UInt8]?
  /// Whether a number is in parentheses or before a minus sign.
  private var isAccounting = false
  /// Whether a comma precedes other digits than a single 0. Numbers such as `254,0` alone may be pairs.
  private var hasFraction = false
  /// Whether no notation fits all cells.
  private(set) var isDecided = false

  /// Longer cells are strings.
  private static let longest = 40

  mutating func add(_ cell: UnsafeRawBufferPointer) {
    if isDecided { return }
    guard cell.count <= Self.longest else {
      isDecided = true
      mayBeWords = false
      mayBeHexadecimal = false
      styles = []
      return
    }
    let text = cell.trimmingBlanks()
    count += 1
    if count == 1 {
      first = String(decoding: text, as: UTF8.self)
    } else if isOneValue {
      isOneValue = text.elementsEqual(first.utf8)
    }
    if mayBeWords { addWord(text) }
    if mayBeHexadecimal { addHexadecimal(text) }
    if !styles.isEmpty { addNumber(text) }
    isDecided = !mayBeWords && !mayBeHexadecimal && styles.isEmpty
  }

  private mutating func addWord(_ text: UnsafeRawBufferPointer) {
    guard let word = BoolWord(text), word.pair != .digits, word.pair != .trueFalse,
      words == nil || words == word.pair
    else {
      mayBeWords = false
      return
    }
    words = word.pair
    if word.value { hasTrue = true } else { hasFalse = true }
  }

  private mutating func addHexadecimal(_ text: UnsafeRawBufferPointer) {
    mayBeHexadecimal = Scalar.isHexadecimal(text)
    if !hasPrefix { hasPrefix = text.contains { $0 | 0x20 == UInt8(ascii: "x") } }
    if !hasDigit { hasDigit = text.contains(where: \.isDigit) }
  }

  /// The pair of words for true and false, if the cells are these words and both occur.
  var pair: BoolWord.Pair? { mayBeWords && hasTrue && hasFalse ? words : nil }

  /// Whether the cells are hexadecimal integers: with `0x`, or with letters and digits.
  /// - Parameter integers: whether other cells of the column are integers.
  func isHexadecimal(besides integers: Bool) -> Bool {
    count > 0 && mayBeHexadecimal && (hasPrefix || hasDigit || integers)
  }
}

extension Readings {
  /// The styles in the order in which they are suggested.
  private static let allStyles: [NumberStyle] = [
    style("."), style(".", ","), style(","), style(",", "."), style(",", " "), style(".", " "),
    style(".", "'"), style(".", "_"),
  ]

  private static func style(_ decimal: Unicode.Scalar, _ thousands: String = "") -> NumberStyle {
    var style = NumberStyle()
    style.decimal = UInt8(ascii: decimal)
    style.thousands = Array(thousands.utf8)
    return style
  }

  private mutating func addNumber(_ text: UnsafeRawBufferPointer) {
    let inner = text.withoutAccountingSign
    if inner != nil { isAccounting = true }
    guard let parts = UnitParts(inner ?? text, isSigned: inner != nil),
      count == 1 || parts.unit == unit
    else {
      styles = []
      return
    }
    unit = parts.unit
    if !hasFraction { hasFraction = Self.endsWithFraction(parts.number) }
    styles.removeAll { style in
      // The number alone, or a plain one that fits every style.
      Scalar.writtenNumber(parts.number, style) == nil
        && !(style.allowsPlainNumbers && Scalar.number(parts.number) != nil)
    }
  }

  private static func endsWithFraction(_ number: UnsafeRawBufferPointer) -> Bool {
    guard let comma = number.lastIndex(of: UInt8(ascii: ",")) else { return true }
    return !number[(comma + 1)...].elementsEqual([UInt8(ascii: "0")])
  }

  /// The styles that make all cells numbers: none if no style does; two if a comma may separate
  /// thousands or be the decimal point.
  /// - Parameters:
  ///   - reals: whether other cells of the column are numbers with a decimal point.
  ///   - given: the style that the user gave, which the suggested labels extend.
  func styles(besides reals: Bool, given: NumberStyle) -> [NumberStyle] {
    guard count > 0 else { return [] }
    let fitting = styles.filter { style in
      (!reals || style.allowsPlainNumbers)
        && (given.allowsPlainNumbers || style.decimal == given.decimal)
        && (given.thousands.isEmpty || style.thousands == given.thousands)
    }
    guard let first = fitting.first, hasFraction else { return [] }
    let comma = Self.style(",")
    let isAmbiguous = first == Self.style(".", ",") && fitting.contains(comma)
    return (isAmbiguous ? [first, comma] : [first]).compactMap { style in
      var style = style
      if let unit { style.units = given.units + [unit] }
      style.isAccounting = isAccounting || given.isAccounting
      return style == given ? nil : style
    }
  }
}

/// A number and its unit: `$5`, `-$5`, `5 %`, `12.5 km`.
private struct UnitParts {
  var number: UnsafeRawBufferPointer
  /// nil for a number without a unit.
  var unit: [UInt8]?

  /// The longest unit in bytes.
  private static let longest = 12

  /// nil if the text does not have this form.
  /// - Parameter isSigned: whether the number has no other sign.
  init?(_ text: UnsafeRawBufferPointer, isSigned: Bool) {
    var start = 0
    var end = text.count
    while start < end, !Self.isNumeric(text[start]) { start += 1 }
    while end > start, !text[end - 1].isDigit, text[end - 1] != UInt8(ascii: ".") { end -= 1 }
    guard start < end else { return nil }
    let prefix = UnsafeRawBufferPointer(rebasing: text[..<start]).trimmingBlanks()
    let suffix = UnsafeRawBufferPointer(rebasing: text[end...]).trimmingBlanks()
    let sign = prefix.first.map { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") } ?? false
    if sign, isSigned { return nil }
    let word = UnsafeRawBufferPointer(rebasing: prefix[(sign ? 1 : 0)...]).trimmingBlanks()
    number = UnsafeRawBufferPointer(rebasing: text[start..<end])
    guard word.isEmpty || suffix.isEmpty, max(word.count, suffix.count) <= Self.longest else {
      return nil
    }
    // Letters before digits are a name, as in `Q1`; a single letter directly after them is not a unit.
    if suffix.count == 1, suffix[0].isLetter, end + 1 == text.count { return nil }
    guard Self.isUnit(word, withLetters: false), Self.isUnit(suffix, withLetters: true) else {
      return nil
    }
    if !word.isEmpty { unit = Array(word) } else if !suffix.isEmpty { unit = Array(suffix) }
  }

  /// Whether a text is empty, a symbol of a currency or a measure, or one word: `€`, `%`, `km/h`.
  private static func isUnit(_ text: UnsafeRawBufferPointer, withLetters: Bool) -> Bool {
    let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
    // A port and its protocol, as in `80/tcp`, have no unit.
    if let first = scalars.first, "/²³·".unicodeScalars.contains(first) { return false }
    return scalars.allSatisfy { scalar in
      scalar.properties.generalCategory == .currencySymbol
        || "%‰°′″'\"".unicodeScalars.contains(scalar)
        || withLetters && (scalar.properties.isAlphabetic || "/²³·".unicodeScalars.contains(scalar))
    }
  }

  private static func isNumeric(_ byte: UInt8) -> Bool {
    byte.isDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",")
  }
}
