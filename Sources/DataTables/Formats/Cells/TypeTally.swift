/// The number of cells of each type in a column, nulls excluded, and the forms that fit them all.
struct TypeTally: Sendable {
  private(set) var integers = 0
  private(set) var reals = 0
  private(set) var bools = 0
  /// Dates in ISO form.
  private(set) var dates = 0
  /// Digits with a leading zero, which a number would lose.
  private(set) var leadingZeros = 0
  /// Integers and other numbers that are not in JSON's syntax.
  private(set) var writtenIntegers = 0, writtenReals = 0
  /// NaN and infinities.
  private(set) var nonFinite = 0
  /// Dates in other forms than ISO's.
  private(set) var writtenDates = 0
  private(set) var others = 0
  /// Dates with dots, which are in one order whatever that of the others is.
  private var dottedDates = 0
  /// The orders of day, month and year that fit all dates without dots.
  private(set) var orders = WrittenDate.Orders.all
  /// The number of dates that each order fits, without those in ISO form or with dots.
  private var votes = DateOrderVotes()
  /// Whether a date has a form that numbers such as versions have too.
  private(set) var hasDoubtfulDates = false
  /// The possible readings of the cells that are neither numbers nor dates.
  private(set) var readings = Readings()
  /// Whether an integer other than 0 and 1 was counted.
  private var hasOtherIntegers = false
  private var hasOne = false, hasZero = false

  private let style: NumberStyle

  enum Kind {
    case integer, real, bool, date, leadingZero, writtenInteger, writtenReal, nonFinite
    case writtenDate, blank, other

    var isNumber: Bool {
      switch self {
      case .integer, .real, .writtenInteger, .writtenReal, .nonFinite: true
      case .bool, .date, .leadingZero, .writtenDate, .blank, .other: false
      }
    }

    var isDate: Bool { self == .date || self == .writtenDate }
  }

  /// - Parameter style: how the numbers are written.
  init(_ style: NumberStyle = NumberStyle()) { self.style = style }

  /// The number of cells counted, without blank ones.
  var count: Int { numbers + bools + dates + writtenDates + leadingZeros + others }

  var numbers: Int { integers + reals + writtenIntegers + writtenReals + nonFinite }

  @discardableResult
  mutating func add(_ cell: UnsafeRawBufferPointer) -> Kind {
    let kind = Self.kind(of: cell, style)
    switch kind {
    case .integer:
      integers += 1
      if !hasOtherIntegers { addDigit(cell) }
    case .real: reals += 1
    case .bool: bools += 1
    case .date:
      dates += 1
      orders.formIntersection(.yearMonthDay)
    case .leadingZero: leadingZeros += 1
    case .writtenInteger: writtenIntegers += 1
    case .writtenReal: writtenReals += 1
    case .nonFinite: nonFinite += 1
    case .writtenDate:
      writtenDates += 1
      if let date = WrittenDate(cell) {
        if date.isDotted {
          dottedDates += 1
        } else {
          orders.formIntersection(date.orders)
          votes.add(date.orders)
        }
        if date.isDoubtful { hasDoubtfulDates = true }
      }
    case .blank: break
    case .other:
      others += 1
      readings.add(cell)
    }
    return kind
  }

  private mutating func addDigit(_ cell: UnsafeRawBufferPointer) {
    guard let word = BoolWord(cell) else {
      hasOtherIntegers = true
      return
    }
    if word.value { hasOne = true } else { hasZero = true }
  }

  static func kind(
    of cell: UnsafeRawBufferPointer, _ style: NumberStyle = NumberStyle()
  ) -> Kind {
    guard let first = cell.first else { return .blank }
    let isDigit = first.isDigit
    if isDigit || first == UInt8(ascii: "-") {
      if Scalar.integer(cell) != nil { return .integer }
      if style.allowsPlainNumbers, Scalar.real(cell) != nil { return .real }
      if Scalar.moment(cell) != nil { return .date }
      let isLeadingZero =
        first == UInt8(ascii: "0") && cell.allSatisfy(\.isDigit)
      return isLeadingZero ? .leadingZero : otherKind(of: cell, style)
    }
    return Scalar.bool(cell) != nil ? .bool : otherKind(of: cell, style)
  }

  /// Longer cells are strings.
  private static let longest = 64

  private static func otherKind(
    of cell: UnsafeRawBufferPointer, _ style: NumberStyle
  ) -> Kind {
    guard cell.count <= longest else { return cell.isBlank ? .blank : .other }
    if style.units.isEmpty, isCertainlyOther(cell) { return .other }
    switch Scalar.writtenNumber(cell, style) {
    case .integer: return .integer
    case .real(let real) where !real.isFinite: return .nonFinite
    case .real(let real):
      if real.isJSON { return .real }
      return real.number.utf8.contains(where: isPartOfReal) ? .writtenReal : .writtenInteger
    default: break
    }
    if let date = WrittenDate(cell), !date.orders.isEmpty { return .writtenDate }
    let text = cell.trimmingBlanks()
    if text.isEmpty { return .blank }
    guard text.count < cell.count else { return .other }
    let isLeadingZero =
      text[0] == UInt8(ascii: "0") && text.allSatisfy(\.isDigit)
    return isLeadingZero ? .leadingZero : .other
  }

  /// Whether the first bytes of a cell rule out numbers without a unit and dates, as those of most
  /// strings do.
  private static func isCertainlyOther(_ cell: UnsafeRawBufferPointer) -> Bool {
    if cell[0] >= UInt8(ascii: "A") {
      // Only NaN, inf and infinity have no digits. The names of months and days have at least 3
      // letters, and digits follow.
      guard cell.contains(where: \.isDigit) else { return !Scalar.isNonFinite(cell) }
      return cell.count < 3 || !cell[1].isLetter || !cell[2].isLetter
    }
    // A letter after digits can only be the E of an exponent.
    guard let end = cell.firstIndex(where: { !$0.isDigit }), end > 0 else { return false }
    return cell[end].isLetter && cell[end] | 0x20 != UInt8(ascii: "e")
  }

  /// Whether a byte of a number shows that it is not an integer.
  private static func isPartOfReal(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
  }
}

extension TypeTally {
  /// The form that fits all cells as they are written; strings if there are none.
  /// - Parameter order: the order of day and month that the user gave.
  func form(_ order: WrittenDate.Order? = nil) -> CellForm {
    switch count {
    case 0: return CellForm(.string)
    case integers: return CellForm(.integer)
    case integers + writtenIntegers: return CellForm(.integer, .written, style: style)
    // NaN and infinity alone are words.
    case numbers where nonFinite < count: return CellForm(.real, style: style)
    case bools: return CellForm(.bool)
    case dates: return CellForm(.date)
    case dates + writtenDates:
      return self.order(order).map { CellForm(.date, .date($0)) } ?? CellForm(.string)
    default: return CellForm(.string)
    }
  }

  /// The type that fits all cells as they are written; string if there are none.
  var type: ColumnType { form().type }

  /// The order of day, month and year in all dates; nil if none or several fit.
  /// - Parameter given: the order that the user gave for dates that leave it open.
  func order(_ given: WrittenDate.Order? = nil) -> WrittenDate.Order? {
    if let given, orders.contains(WrittenDate.Orders(given)) { return given }
    if hasDoubtfulDates { return nil }
    // Without a request, dates with dots are not mixed with dates in another order.
    if dottedDates > 0 {
      return dottedDates == dates + writtenDates || orders == .dayMonthYear ? .dayMonthYear : nil
    }
    let orders = orders.orders
    return orders.count == 1 ? orders.first : nil
  }

  /// Whether all cells fit only strings, so that more cells cannot make them fit another type.
  var isCertainlyStrings: Bool {
    guard count > 0 else { return false }
    if others > 0 || leadingZeros > 0 { return true }
    let kinds = [numbers, bools, dates + writtenDates].count { $0 > 0 }
    return kinds > 1 || (dates + writtenDates > 0 && orders.isEmpty)
  }

  /// Whether no labels can give all cells another type.
  var hasNoReading: Bool {
    others > 0 && readings.isDecided || bools > 0 || leadingZeros > 0 && numbers > 0
  }

  /// Dates in ISO form and with dots are read in each order.
  private func mixedDates(for key: String) -> SuggestedReading {
    .mixedDates(key: key, votes.leading, kept: dates + dottedDates + votes.most, count: count)
  }

  /// The labels that give all cells a type that is not detected, because other readings are as
  /// likely; nil if no labels do.
  ///
  /// - Parameters:
  ///   - order: the order of day and month that the user gave.
  ///   - areNumbers: whether the user requested numbers, so that one value suffices.
  func suggestion(
    for key: String, _ order: WrittenDate.Order? = nil, areNumbers: Bool = false
  ) -> SuggestedReading? {
    guard bools == 0, count > 0 else { return nil }
    if dates + writtenDates > 0 {
      guard dates + writtenDates == count, writtenDates > 0, self.order(order) == nil else {
        return nil
      }
      if orders.isEmpty || dottedDates > 0 && dates > 0 { return mixedDates(for: key) }
      return .dates(dottedDates == count ? [.dayMonthYear] : orders.orders)
    }
    let plain = integers + reals + writtenIntegers + writtenReals + nonFinite
    if others == 0 {
      return integers == count && !hasOtherIntegers && hasOne && hasZero
        ? .bools(.digits, key: key) : nil
    }
    if plain == 0, leadingZeros == 0, let pair = readings.pair { return .bools(pair, key: key) }
    var styles = readings.styles(besides: reals + writtenReals > 0, given: style)
    // One value, which may repeat, says little: `(0)` is hardly a negative number, `8,1` may be a pair.
    if !areNumbers, plain == 0, readings.isOneValue, readings.unit == nil, let first = styles.first
    {
      let isZero = !readings.first.utf8.contains { $0.isDigit && $0 != UInt8(ascii: "0") }
      let isPair = !first.allowsPlainNumbers && first.thousands.isEmpty
      if isZero || isPair { styles = [] }
    }
    // A unit is one only if all cells have it.
    if leadingZeros == 0, nonFinite == 0, !styles.isEmpty, plain == 0 || readings.unit == nil {
      return .numbers(styles, given: style, example: readings.first)
    }
    if plain == integers, readings.isHexadecimal(besides: integers > 0) {
      return .hexadecimal(key: key, example: readings.first)
    }
    return nil
  }
}
