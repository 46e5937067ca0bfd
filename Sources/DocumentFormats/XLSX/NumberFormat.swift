/// The kind of value that a number format shows.
enum NumberFormat {
  case number
  case date
  case dateAndTime
  /// A time of day.
  case time
  /// Hours, minutes or seconds that do not end at a day: `[h]:mm`.
  case duration

  /// A format that is not in the workbook (ISO/IEC 29500-1, 18.8.30, with those of East Asian
  /// languages).
  init(number: Int) {
    switch number {
    case 14...17, 27...31, 34...36, 50...58: self = .date
    case 18...21, 32, 33, 45, 47: self = .time
    case 22: self = .dateAndTime
    case 46: self = .duration
    default: self = .number
    }
  }

  /// - Parameter code: `yyyy-mm-dd hh:mm`, `#,##0.00 "h"`, `[$-409]d/m/yy;@`.
  init(code: String) {
    var hasDay = false
    var hasClock = false
    var hasMonthOrMinute = false
    var scalars = Array(code.unicodeScalars)[...]
    if code.lowercased() == "general" { scalars = [] }
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\"": scalars = scalars.drop { $0 != "\"" }.dropFirst()
      // The next character is shown, skipped or repeated.
      case "\\", "_", "*": scalars = scalars.dropFirst()
      case "[":
        let part = scalars.prefix { $0 != "]" }
        scalars = scalars[part.endIndex...].dropFirst()
        let letters = Set(part.map { Character($0).lowercased() })
        if letters == ["h"] || letters == ["m"] || letters == ["s"] {
          self = .duration
          return
        }
      // Only the section for positive numbers counts.
      case ";": scalars = []
      case "d", "D", "y", "Y": hasDay = true
      case "h", "H", "s", "S": hasClock = true
      case "m", "M": hasMonthOrMinute = true
      default: break
      }
    }
    switch (hasDay, hasClock) {
    case (true, true): self = .dateAndTime
    case (true, false): self = .date
    case (false, true): self = .time
    case (false, false): self = hasMonthOrMinute ? .date : .number
    }
  }
}
