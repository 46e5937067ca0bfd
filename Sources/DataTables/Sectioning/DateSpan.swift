/// The time span that each date section covers.
enum DateSpan: Sendable {
  case day, week, month, year

  /// The number of the span that contains a time; numbers ascend with time.
  /// - Parameter seconds: since 1970-01-01T00:00:00 in the zone of the sections.
  func number(of seconds: Int) -> Int {
    let days = Gregorian.floorDivide(seconds, 86_400)
    switch self {
    case .day: return days
    // 1970-01-01 was a Thursday: its week began three days earlier.
    case .week: return Gregorian.floorDivide(days + 3, 7)
    case .month:
      let date = Gregorian.date(fromDays: days)
      return date.year * 12 + date.month - 1
    case .year: return Gregorian.date(fromDays: days).year
    }
  }

  func number(of time: Timestamp, zone: Zone) -> Int { number(of: time.localSeconds(zone: zone)) }

  /// `2012-11-02`, `2012-W44`, `2012-11`, `2012`.
  func title(of number: Int) -> String {
    switch self {
    case .day:
      let date = Gregorian.date(fromDays: number)
      return [year(date.year), twoDigits(date.month), twoDigits(date.day)].joined(separator: "-")
    case .week:
      let thursday = CivilTime(seconds: (number * 7) * 86_400)
      return year(thursday.weekYear) + "-W" + twoDigits(thursday.week)
    case .month:
      return year(yearAndMonth(number).year) + "-" + twoDigits(yearAndMonth(number).month)
    case .year: return year(number)
    }
  }

  /// `November 2012`.
  static func monthTitle(of number: Int) -> String {
    let (year, month) = month.yearAndMonth(number)
    return "\(monthNames[month - 1]) \(year)"
  }

  private func yearAndMonth(_ number: Int) -> (year: Int, month: Int) {
    let year = Gregorian.floorDivide(number, 12)
    return (year, number - year * 12 + 1)
  }

  private func year(_ number: Int) -> String {
    (number < 0 ? "-" : "") + Int(clamping: number.magnitude).padded(to: 4)
  }

  private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}

extension Timestamp {
  /// Seconds since 1970-01-01T00:00:00 in a zone; a timestamp without a zone is not shifted.
  func localSeconds(zone: Zone) -> Int {
    offset == nil ? seconds : secondsFromGMT + zone.offset(at: secondsFromGMT)
  }
}

extension Value {
  /// The timestamp of a date or of a string in ISO form; nil for other values.
  package var timestamp: Timestamp? {
    switch self {
    case .date(let date): date
    case .string(let string): Timestamp(iso: string)
    default: nil
    }
  }
}
