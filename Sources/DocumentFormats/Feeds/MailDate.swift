import DataTables

/// A date of a mail header (RFC 822, RFC 5322), which RSS uses: `Sat, 07 Sep 2002 09:42:31 GMT`.
struct MailDate {
  /// The date in ISO 8601, with the zone as it was written.
  let iso: String

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  /// Names of zones, in hours from GMT.
  private static let zones = [
    "gmt": 0, "ut": 0, "utc": 0, "z": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7,
    "mdt": -6, "pst": -8, "pdt": -7,
  ]

  /// nil if the text is not such a date.
  init?(_ text: String) {
    var words = text.split(whereSeparator: { $0 == " " || $0 == "," || $0.isNewline })[...]
    if let first = words.first, first.first?.isLetter == true { words = words.dropFirst() }
    guard words.count >= 3, words.count <= 5,
      let day = Self.number(words[words.startIndex], 1...31),
      let month = Self.months.firstIndex(of: words[words.startIndex + 1].prefix(3).lowercased()),
      let year = Self.year(words[words.startIndex + 2])
    else { return nil }
    var iso = "\(year.padded(to: 4))-\((month + 1).padded(to: 2))-\(day.padded(to: 2))"
    words = words.dropFirst(3)
    if let time = words.popFirst() {
      let parts = time.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2 || parts.count == 3, let hour = Self.number(parts[0], 0...23),
        let minute = Self.number(parts[1], 0...59),
        let second = parts.count == 3 ? Self.number(parts[2], 0...60) : 0
      else { return nil }
      iso += "T\(hour.padded(to: 2)):\(minute.padded(to: 2)):\(second.padded(to: 2))"
      if let zone = words.popFirst() {
        guard let offset = Self.offset(zone) else { return nil }
        iso += offset
      }
    }
    self.iso = iso
  }

  /// A year of two digits is one from 1969 to 2068, as in POSIX.
  private static func year(_ text: Substring) -> Int? {
    guard let year = number(text, 0...9999) else { return nil }
    switch text.count {
    case 4: return year
    case 2: return year < 69 ? 2000 + year : 1900 + year
    default: return nil
    }
  }

  private static func offset(_ zone: Substring) -> String? {
    if let hours = zones[zone.lowercased()] {
      return hours == 0 ? "Z" : "-\((-hours).padded(to: 2)):00"
    }
    guard zone.count == 5, let sign = zone.first, sign == "+" || sign == "-",
      let hours = number(zone.dropFirst().prefix(2), 0...23),
      let minutes = number(zone.suffix(2), 0...59)
    else { return nil }
    return "\(sign)\(hours.padded(to: 2)):\(minutes.padded(to: 2))"
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int(text),
      range.contains(number)
    else { return nil }
    return number
  }
}
