/// How the dates of a column are written as numbers: `31/01/2024`, `31.1.24 17:30`.
struct DateNotation {
  private let order: WrittenDate.Order
  private let separator: Character
  /// Whether days and months have two digits.
  private let isPadded: Bool
  private let yearDigits: Int
  /// The characters between the date and the time.
  private let timeSeparator: Substring
  private let hasSeconds: Bool

  /// The notation of a date; nil if it has the name of a month, a zone, or a clock of 12 hours.
  init?(of text: String, _ order: WrittenDate.Order) {
    let date = text.prefix { Self.isDigit($0) || "/-.".contains($0) }
    let parts = date.split(omittingEmptySubsequences: false) { !Self.isDigit($0) }
    guard parts.count == 3, let separator = date.first(where: { !Self.isDigit($0) }) else {
      return nil
    }
    let time = text.dropFirst(date.count)
    let clock = time.drop { !Self.isDigit($0) }
    guard clock.allSatisfy({ Self.isDigit($0) || ":.".contains($0) }) else { return nil }
    // Day, month and year are always in this order between dots.
    let order = separator == "." && parts[0].count <= 2 ? .dayMonthYear : order
    self.order = order
    self.separator = separator
    let year = order == .yearMonthDay ? 0 : 2
    yearDigits = parts[year].count
    isPadded = parts.indices.allSatisfy { $0 == year || parts[$0].count == 2 }
    timeSeparator = clock.isEmpty ? " " : time.prefix { !Self.isDigit($0) }
    hasSeconds = clock.count { $0 == ":" } > 1
  }

  /// nil for a time with a zone or with fractions of seconds.
  func text(of moment: Moment) -> String? {
    guard moment.offset == nil, moment.nanoseconds == 0 else { return nil }
    let time = CivilTime(seconds: moment.seconds)
    let width = isPadded ? 2 : 1
    let (day, month) = (time.day.padded(to: width), time.month.padded(to: width))
    let isShort = yearDigits == 2 && WrittenDate.year(ofTwoDigits: time.year % 100) == time.year
    let year = isShort ? (time.year % 100).padded(to: 2) : time.year.padded(to: 4)
    let parts =
      switch order {
      case .dayMonthYear: [day, month, year]
      case .monthDayYear: [month, day, year]
      case .yearMonthDay: [year, month, day]
      }
    let date = parts.joined(separator: String(separator))
    guard moment.hasTime else { return date }
    var clock = [time.hour, time.minute]
    if hasSeconds || time.second != 0 { clock.append(time.second) }
    return date + timeSeparator + clock.map { $0.padded(to: 2) }.joined(separator: ":")
  }

  private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
}
