/// The proleptic Gregorian calendar, counted in days since 1970-01-01.
package enum Gregorian {
  static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  // Both conversions follow Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years
  // start in March, so that the leap day is the last day of its year.
  package static func days(fromYear year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = floorDivide(year, 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  package static func date(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// 1 for Monday to 7 for Sunday.
  static func weekday(ofDays days: Int) -> Int { days + 3 - floorDivide(days + 3, 7) * 7 + 1 }

  package static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
    let quotient = number / divisor
    return number % divisor < 0 ? quotient - 1 : quotient
  }
}

/// The date and time of day that a calendar and a clock show.
public struct CivilTime: Hashable, Sendable {
  public let year: Int
  /// 1...12.
  public let month: Int
  /// 1...31.
  public let day: Int
  /// 1 for Monday to 7 for Sunday.
  public let weekday: Int
  /// The ISO 8601 week, 1...53: week 1 has the first Thursday of its year.
  public let week: Int
  /// The year that the ISO 8601 week belongs to, which differs from `year` around New Year.
  public let weekYear: Int
  public let hour: Int
  public let minute: Int
  public let second: Int

  /// - Parameter seconds: since 1970-01-01T00:00:00 in the displayed zone.
  package init(seconds: Int) {
    let days = Gregorian.floorDivide(seconds, 86_400)
    let secondOfDay = seconds - days * 86_400
    (year, month, day) = Gregorian.date(fromDays: days)
    weekday = Gregorian.weekday(ofDays: days)
    hour = secondOfDay / 3600
    minute = secondOfDay / 60 % 60
    second = secondOfDay % 60
    // A week belongs to the year of its Thursday.
    let thursday = days - weekday + 4
    weekYear = Gregorian.date(fromDays: thursday).year
    week = (thursday - Gregorian.days(fromYear: weekYear, month: 1, day: 1)) / 7 + 1
  }
}

extension Timestamp {
  /// The date and time of day in the zone that is `zone` seconds east of GMT. A timestamp without a
  /// zone does not shift.
  public func civil(zone: Int = 0) -> CivilTime {
    CivilTime(seconds: offset == nil ? seconds : secondsFromGMT + zone)
  }
}
