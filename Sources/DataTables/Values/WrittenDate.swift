/// A date as people write it, with an optional time: `31/01/2024`, `31.01.2024 17:30`, `2024/1/31`,
/// `31-Jan-24`, `Jan 31, 2024 5:30 PM`, `Wed, 31 Jan 2024 10:00:00 +0000`.
///
/// Day and month may be undecided: then the date fits several orders.
struct WrittenDate {
  /// The order of day, month and year.
  enum Order: String, CaseIterable, Sendable {
    case dayMonthYear = "d/m/y"
    case monthDayYear = "m/d/y"
    case yearMonthDay = "y/m/d"
  }

  struct Orders: OptionSet, Sendable {
    let rawValue: UInt8
    static let dayMonthYear = Orders(rawValue: 1)
    static let monthDayYear = Orders(rawValue: 2)
    static let yearMonthDay = Orders(rawValue: 4)
    static let all: Orders = [.dayMonthYear, .monthDayYear, .yearMonthDay]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ order: Order) {
      switch order {
      case .dayMonthYear: self = .dayMonthYear
      case .monthDayYear: self = .monthDayYear
      case .yearMonthDay: self = .yearMonthDay
      }
    }

    /// The orders in this set.
    var orders: [Order] { Order.allCases.filter { contains(Orders($0)) } }
  }

  fileprivate struct Part {
    var number = 0
    var digits = 0
  }

  private var parts = (Part(), Part(), Part())
  /// The index of the part that is the name of a month; nil if all parts are numbers.
  private var named: Int?
  private var separator = UInt8(ascii: "/")
  /// The time of day and the zone, without the date.
  private var time = Moment(seconds: 0, nanoseconds: 0, offset: nil, hasTime: false)

  /// The longest date, with the names of its day and month, a time and a zone, is shorter.
  private static let longest = 64

  /// nil if the cell does not have the form of a date.
  init?(_ cell: UnsafeRawBufferPointer) {
    let text = cell.trimmingBlanks()
    guard text.count >= 6, text.count <= Self.longest else { return nil }
    var scan = DateScan(bytes: text, index: 0)
    scan.skipWeekday()
    guard let first = takePart(0, &scan), let separator = scan.separator(named: named != nil)
    else { return nil }
    parts.0 = first
    self.separator = separator
    guard let second = takePart(1, &scan), let next = scan.separator(named: named != nil) else {
      return nil
    }
    parts.1 = second
    guard named != nil || next == separator else { return nil }
    guard named != nil || separator != UInt8(ascii: " "), let third = scan.part() else {
      return nil
    }
    parts.2 = third
    guard Self.isWhole(first, second, third) else { return nil }
    if scan.isAtEnd { return }
    // In `Nov  1 10:20:30`, as in logs, 10 is the hour and not a year.
    let hasWholeYear = first.digits == 4 || third.digits == 4
    guard scan.takeTimeSeparator(named: named != nil && hasWholeYear), scan.takeClock(&time),
      scan.takeNamedZone(&time), scan.isAtEnd
    else { return nil }
  }

  private mutating func takePart(_ place: Int, _ scan: inout DateScan) -> Part? {
    if let part = scan.part() { return part }
    guard named == nil, let month = scan.month() else { return nil }
    named = place
    return Part(number: month, digits: 0)
  }

  /// Whether one part may be a year, with two or four digits, and the others have at most two.
  private static func isWhole(_ first: Part, _ second: Part, _ third: Part) -> Bool {
    guard second.digits <= 2 else { return false }
    return first.digits <= 2 ? third.digits == 2 || third.digits == 4 : third.digits <= 2
  }

  /// The orders in which this is a day that exists.
  var orders: Orders {
    if isDotted { return day(.dayMonthYear) == nil ? [] : .dayMonthYear }
    var orders: Orders = []
    for order in Order.allCases where day(order) != nil { orders.insert(Orders(order)) }
    return orders
  }

  /// Whether dots separate day, month and year, which are always in this order: `01.09.2023`.
  var isDotted: Bool {
    named == nil && separator == UInt8(ascii: ".") && parts.0.digits <= 2
  }

  /// Whether the form is also that of numbers that are not dates, such as versions: two digits each,
  /// with dots or hyphens.
  var isDoubtful: Bool {
    named == nil && separator != UInt8(ascii: "/") && parts.0.digits <= 2 && parts.2.digits <= 2
  }

  /// The time in an order, which a date with dots ignores; nil if the day does not exist.
  func moment(_ order: Order) -> Moment? {
    guard let day = day(isDotted ? .dayMonthYear : order) else { return nil }
    var moment = time
    moment.seconds += day * 86_400
    return moment
  }

  /// Days since 1970-01-01.
  private func day(_ order: Order) -> Int? {
    let (year, month, day): (Part, Part, Part)
    switch order {
    case .dayMonthYear: (day, month, year) = parts
    case .monthDayYear: (month, day, year) = parts
    case .yearMonthDay: (year, month, day) = parts
    }
    switch (named, order) {
    case (nil, _), (0, .monthDayYear), (1, .dayMonthYear): break
    // A name in the middle follows a day, unless a whole year is first.
    case (1, .yearMonthDay) where year.digits == 4: break
    default: return nil
    }
    guard year.digits == 2 || year.digits == 4, day.digits <= 2, (1...12).contains(month.number),
      day.number >= 1
    else { return nil }
    let number = year.digits == 4 ? year.number : Self.year(ofTwoDigits: year.number)
    guard day.number <= Gregorian.days(inMonth: month.number, of: number) else { return nil }
    return Gregorian.days(fromYear: number, month: month.number, day: day.number)
  }

  /// The year of two digits: as in POSIX, 69 to 99 are in the 20th century.
  static func year(ofTwoDigits year: Int) -> Int { year + (year >= 69 ? 1900 : 2000) }
}

extension DateScan {
  /// One to four digits.
  fileprivate mutating func part() -> WrittenDate.Part? {
    var part = WrittenDate.Part()
    while part.digits < 4, let digit = digit() {
      part.number = part.number * 10 + digit
      part.digits += 1
    }
    return part.digits > 0 ? part : nil
  }

  /// The separator between two parts. Next to the name of a month, it may be a blank, and a dot or
  /// a comma may precede blanks.
  fileprivate mutating func separator(named: Bool) -> UInt8? {
    guard index < bytes.count else { return nil }
    let byte = bytes[index]
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "-"): index += 1
    case UInt8(ascii: "."), UInt8(ascii: ","):
      index += 1
      let hasBlank = skipBlanks()
      if byte == UInt8(ascii: ","), !hasBlank { return nil }
    default:
      guard skipBlanks() else { return nil }
      _ = take(",") && skipBlanks()
      return UInt8(ascii: " ")
    }
    return byte
  }

  /// The number of the month whose English name, or the first three letters of it, are next.
  mutating func month() -> Int? {
    guard let place = word(of: Self.months) else { return nil }
    return place + 1
  }

  /// The number of the day, 1 for Monday, whose English name, or the first three letters of it, are
  /// next.
  mutating func weekday() -> Int? {
    guard let place = word(of: Self.weekdays) else { return nil }
    return place + 1
  }

  /// Skips an English name of a day, with a comma or a dot, and the blanks after it.
  fileprivate mutating func skipWeekday() {
    let start = index
    guard weekday() != nil else { return }
    _ = take(",") || take(".")
    if !skipBlanks() { index = start }
  }

  /// The index of the word that is next, whole or as its first three letters.
  private mutating func word(of words: [StaticString]) -> Int? {
    var end = index
    while end < bytes.count, (bytes[end] | 0x20) &- UInt8(ascii: "a") < 26 { end += 1 }
    let letters = UnsafeRawBufferPointer(rebasing: bytes[index..<end])
    guard letters.count >= 3 else { return nil }
    for (place, word) in words.enumerated() {
      let count = letters.count == 3 ? 3 : word.utf8CodeUnitCount
      let isSeptember = letters.count == 4 && letters.spells("sept")
      guard letters.count == count || isSeptember else { continue }
      let matches = letters.indices.allSatisfy { letters[$0] | 0x20 == word.utf8Start[$0] }
      if matches {
        index = end
        return place
      }
    }
    return nil
  }

  private static let months: [StaticString] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
  private static let weekdays: [StaticString] = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// The separator between a date and a time: `T`, blanks, or a comma and blanks; a colon after a
  /// date with the name of its month.
  fileprivate mutating func takeTimeSeparator(named: Bool) -> Bool {
    if take("T") || named && take(":") { return true }
    _ = take(",")
    return skipBlanks()
  }

  /// `17:30`, `17:30:59.123`, `5:30 PM`.
  fileprivate mutating func takeClock(_ moment: inout Moment) -> Bool {
    guard let first = digit() else { return false }
    var hour = first
    if let second = digit() { hour = first * 10 + second }
    guard take(":"), takeMinutes(&moment) else { return false }
    let start = index
    skipBlanks()
    if let isAfternoon = meridiem() {
      guard (1...12).contains(hour) else { return false }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    } else {
      index = start
    }
    guard hour < 24 else { return false }
    moment.seconds += hour * 3600
    return true
  }

  /// `AM`, `pm` or `p.m.`: whether the time is after noon.
  mutating func meridiem() -> Bool? {
    let start = index
    let isAfternoon = take("P") || take("p")
    guard isAfternoon || take("A") || take("a") else { return nil }
    let hasDot = take(".")
    guard take("M") || take("m"), !hasDot || take(".") else {
      index = start
      return nil
    }
    return isAfternoon
  }

  /// Nothing, or a zone: `Z`, `GMT`, `UTC`, `+0100`, `+01:00`, after optional blanks.
  fileprivate mutating func takeNamedZone(_ moment: inout Moment) -> Bool {
    skipBlanks()
    return isAtEnd || takeWrittenZone(&moment)
  }

  /// `Z`, `GMT`, `UTC`, `+0100`, `+01:00` or `+01`.
  mutating func takeWrittenZone(_ moment: inout Moment) -> Bool {
    if isAtEnd { return false }
    let next = UnsafeRawBufferPointer(rebasing: bytes[index...].prefix(3))
    if next.spells("gmt") || next.spells("utc") {
      index += 3
      moment.offset = 0
      return true
    }
    return takeZone(&moment)
  }
}
