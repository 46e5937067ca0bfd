import DataTables

/// A date as a number of days, with the time of day as a fraction (ISO/IEC 29500-1, 18.17.4).
enum SerialDate {
  private static let millisecondsPerDay = 86_400_000
  /// Day 0 of the 1900 system, from 1 March 1900 on: the system has a 29 February 1900.
  private static let epoch1900 = Gregorian.days(fromYear: 1899, month: 12, day: 30)
  private static let epoch1904 = Gregorian.days(fromYear: 1904, month: 1, day: 1)
  /// 29 February 1900, which did not exist.
  private static let extraDay = 60
  private static let maxDays = Gregorian.days(fromYear: 9999, month: 12, day: 31)

  /// The value of a number shown in a format: a date, or a string for a time of day or a duration;
  /// nil if the format has no such value, as for day 0 of the 1900 system and negative dates.
  static func value(_ serial: Double, _ format: NumberFormat, has1904Dates: Bool) -> Value? {
    guard serial.isFinite, serial.magnitude < 3_000_000 else { return nil }
    let total = Int((serial * Double(millisecondsPerDay)).rounded())
    let day = Gregorian.floorDivide(total, millisecondsPerDay)
    let rest = total - day * millisecondsPerDay
    switch format {
    case .number: return nil
    case .duration:
      let text = clock(total.magnitude)
      return .string(total < 0 ? "-" + text : text)
    case .time where day == 0, .dateAndTime where day == 0 && !has1904Dates:
      return .string(clock(rest.magnitude))
    case .time, .date, .dateAndTime:
      guard let text = date(day, has1904Dates: has1904Dates) else { return nil }
      let hasTime = format != .date || rest != 0
      return Value(literal: hasTime ? text + "T" + clock(rest.magnitude) : text)
    }
  }

  private static func date(_ day: Int, has1904Dates: Bool) -> String? {
    guard day >= (has1904Dates ? 0 : 1) else { return nil }
    var days = day + epoch1904
    if !has1904Dates {
      if day == extraDay { return "1900-02-29" }
      days = day + epoch1900 + (day < extraDay ? 1 : 0)
    }
    guard days <= maxDays else { return nil }
    let date = Gregorian.date(fromDays: days)
    return date.year.padded(to: 4) + "-" + date.month.padded(to: 2) + "-" + date.day.padded(to: 2)
  }

  /// `09:05:00`, with milliseconds if there are any; hours may have more digits.
  private static func clock(_ milliseconds: UInt) -> String {
    let total = Int(milliseconds)
    let seconds = total / 1_000
    let text =
      (seconds / 3_600).padded(to: 2) + ":" + (seconds / 60 % 60).padded(to: 2) + ":"
      + (seconds % 60).padded(to: 2)
    return total % 1_000 == 0 ? text : text + "." + (total % 1_000).padded(to: 3)
  }
}
