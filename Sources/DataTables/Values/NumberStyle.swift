/// How the numbers of a file are written.
public struct NumberStyle: Hashable, Sendable {
  /// The decimal point, an ASCII character.
  public var decimal = UInt8(ascii: ".")
  /// The separator of thousands, in UTF-8; empty for none. A space also stands for no-break spaces.
  public var thousands: [UInt8] = []
  /// Words before or after a number that are ignored, in UTF-8: `$`, `%`, `km`.
  public var units: [[UInt8]] = []
  /// Whether numbers in parentheses, and those before a minus sign, are negative: `(5)`, `5-`.
  public var isAccounting = false

  public init() {}

  /// Whether numbers in JSON's syntax have their usual value.
  var allowsPlainNumbers: Bool { decimal == UInt8(ascii: ".") }
}

extension Scalar {
  /// The number that a cell denotes in a notation other than JSON's: `.5`, `5.`, `+5`, numbers with
  /// blanks around them, `NaN`, `inf` and `Infinity`, and the forms of `style`.
  ///
  /// An integer in its shortest form loses only the blanks around it; any other number keeps its
  /// text. nil for other cells, and for integers with leading zeros.
  static func writtenNumber(
    _ cell: UnsafeRawBufferPointer, _ style: NumberStyle = NumberStyle()
  ) -> Value? {
    let text = cell.trimmingBlanks()
    guard !text.isEmpty else { return nil }
    if style.allowsPlainNumbers, text.count < cell.count, let number = number(text) {
      return number
    }
    if !style.allowsPlainNumbers, let integer = integer(text) { return .integer(integer) }
    if let number = nonFinite(text) {
      return .real(Real(text: String(decoding: text, as: UTF8.self), number))
    }
    return withPlainNumber(of: text, style) { number in
      real(number).map {
        .real(
          Real(
            text: String(decoding: text, as: UTF8.self),
            number: String(decoding: number, as: UTF8.self), value: $0))
      }
    }
  }

  /// Whether a cell that is not blank is `NaN`, `inf` or `Infinity`, with blanks around it.
  static func isNonFinite(_ cell: UnsafeRawBufferPointer) -> Bool {
    nonFinite(cell.trimmingBlanks()) != nil
  }

  /// `NaN`, `inf` or `Infinity` with an optional sign, ignoring case.
  private static func nonFinite(_ text: UnsafeRawBufferPointer) -> Real.NonFinite? {
    let isNegative = text[0] == UInt8(ascii: "-")
    let start = isNegative || text[0] == UInt8(ascii: "+") ? 1 : 0
    let word = UnsafeRawBufferPointer(rebasing: text[start...])
    switch word.count {
    case 3:
      if word.spells("nan") { return .nan }
      guard word.spells("inf") else { return nil }
    case 8: guard word.spells("infinity") else { return nil }
    default: return nil
    }
    return isNegative ? .negativeInfinity : .infinity
  }

  /// Calls `body` with a number in JSON's syntax; returns nil if `text` is not a number.
  private static func withPlainNumber<Result>(
    of text: UnsafeRawBufferPointer, _ style: NumberStyle,
    _ body: (UnsafeRawBufferPointer) -> Result?
  ) -> Result? {
    var scan = NumberScan(text, style)
    return withUnsafeTemporaryAllocation(byteCount: text.count + 2, alignment: 1) { buffer in
      guard let count = scan.write(to: buffer) else { return nil }
      return body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }
}

/// Converts one number to JSON's syntax.
private struct NumberScan {
  private let text: UnsafeRawBufferPointer
  private let style: NumberStyle
  private var index = 0
  private var end: Int
  private var isNegative = false

  init(_ text: UnsafeRawBufferPointer, _ style: NumberStyle) {
    self.text = text
    self.style = style
    end = text.count
  }

  /// The number of bytes written, at most two more than the text has; nil if it is not a number.
  mutating func write(to buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let hasSign = takeAccountingSign() || takeSign()
    if !style.units.isEmpty {
      takeUnit()
      if !hasSign { _ = takeAccountingSign() || takeSign() }
    }
    var count = 0
    if isNegative {
      buffer[0] = UInt8(ascii: "-")
      count = 1
    }
    let start = count
    guard takeWhole(buffer, &count) else { return nil }
    let hasWhole = count > start
    if hasWhole, buffer[start] == UInt8(ascii: "0"), count > start + 1 { return nil }
    if !hasWhole {
      buffer[count] = UInt8(ascii: "0")
      count += 1
    }
    var hasFraction = false
    if index < end, text[index] == style.decimal {
      index += 1
      buffer[count] = UInt8(ascii: ".")
      let point = count
      count += 1
      takeDigits(buffer, &count)
      hasFraction = count > point + 1
      if !hasFraction { count = point }
    }
    guard hasWhole || hasFraction else { return nil }
    if index < end, text[index] | 0x20 == UInt8(ascii: "e") {
      guard takeExponent(buffer, &count) else { return nil }
    }
    return index == end ? count : nil
  }

  private mutating func takeSign() -> Bool {
    guard index < end else { return false }
    let byte = text[index]
    guard byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") else { return false }
    isNegative = byte == UInt8(ascii: "-")
    index += 1
    return true
  }

  private mutating func takeAccountingSign() -> Bool {
    guard style.isAccounting else { return false }
    let rest = UnsafeRawBufferPointer(rebasing: text[index..<end])
    guard let inner = rest.withoutAccountingSign, let first = inner.baseAddress,
      let start = text.baseAddress
    else { return false }
    index = first - start
    end = index + inner.count
    isNegative = true
    return true
  }

  /// Skips one unit before or after the number, with the blanks between them.
  private mutating func takeUnit() {
    let rest = UnsafeRawBufferPointer(rebasing: text[index..<end])
    for unit in style.units where !unit.isEmpty && unit.count < rest.count {
      if rest.starts(with: unit) {
        index += unit.count
        while index < end, text[index].isBlank { index += 1 }
        return
      }
      if rest.suffix(unit.count).elementsEqual(unit) {
        end -= unit.count
        while end > index, text[end - 1].isBlank { end -= 1 }
        return
      }
    }
  }

  private mutating func takeDigits(_ buffer: UnsafeMutableRawBufferPointer, _ count: inout Int) {
    while index < end, text[index].isDigit {
      buffer[count] = text[index]
      count += 1
      index += 1
    }
  }

  /// Takes the digits before the decimal point. With separators, the first group has one to three
  /// digits, the last group three, and the groups between them two or three, as in India.
  private mutating func takeWhole(
    _ buffer: UnsafeMutableRawBufferPointer, _ count: inout Int
  ) -> Bool {
    var groupStart = count
    takeDigits(buffer, &count)
    guard !style.thousands.isEmpty, count > groupStart, let first = separator else { return true }
    guard count - groupStart <= 3 else { return false }
    var separator = first
    while true {
      index += separator
      groupStart = count
      takeDigits(buffer, &count)
      guard let next = self.separator else { return count - groupStart == 3 }
      guard (2...3).contains(count - groupStart) else { return false }
      separator = next
    }
  }

  /// The length of the separator of thousands at the current position; nil if another byte is
  /// there.
  private var separator: Int? {
    let rest = text[index..<end]
    if style.thousands == [UInt8(ascii: " ")] {
      for blank in Self.blanks where rest.starts(with: blank) { return blank.count }
      return nil
    }
    return rest.starts(with: style.thousands) ? style.thousands.count : nil
  }

  /// The space, the no-break space, the thin space and the narrow no-break space.
  private static let blanks: [[UInt8]] = [
    [0x20], [0xC2, 0xA0], [0xE2, 0x80, 0x89], [0xE2, 0x80, 0xAF],
  ]

  private mutating func takeExponent(
    _ buffer: UnsafeMutableRawBufferPointer, _ count: inout Int
  ) -> Bool {
    buffer[count] = UInt8(ascii: "e")
    count += 1
    index += 1
    if index < end, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
      buffer[count] = text[index]
      count += 1
      index += 1
    }
    let start = count
    takeDigits(buffer, &count)
    return count > start
  }
}

extension UnsafeRawBufferPointer {
  /// The text in parentheses or before a minus sign, without blanks around it; nil if the text does
  /// not have this form.
  var withoutAccountingSign: UnsafeRawBufferPointer? {
    guard count > 1 else { return nil }
    if self[0] == UInt8(ascii: "("), self[count - 1] == UInt8(ascii: ")"), count > 2 {
      return UnsafeRawBufferPointer(rebasing: self[1..<count - 1]).trimmingBlanks()
    }
    guard self[count - 1] == UInt8(ascii: "-") else { return nil }
    return UnsafeRawBufferPointer(rebasing: self[..<(count - 1)]).trimmingBlanks()
  }
}
