import DataTables

extension TransportResponse {
  /// The seconds that the server asks to be left alone; nil when it does not, or not in words that
  /// HTTP knows.
  /// - Parameter today: the date, in seconds since 1970.
  func retryAfter(on today: @autoclosure () -> Int) -> Double? {
    guard let text = self[header: "Retry-After"] else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // Too many digits are a very long time, and cut like one.
      return Double(text)
    }
    guard let date = HTTPDate.seconds(text) else { return nil }
    // By the server's clock, which may be another than ours.
    let now = self[header: "Date"].flatMap(HTTPDate.seconds) ?? today()
    return Double(max(0, date - now))
  }
}

/// Dates as HTTP/1.1 writes them: `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Seconds since 1970; nil when it is no such date. The obsolete forms are not taken.
  static func seconds(_ text: String) -> Int? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])),
      let day = number(words[1], 1...31), let year = number(words[3], 1970...9999)
    else { return nil }
    let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 3, let hour = number(clock[0], 0...23),
      let minute = number(clock[1], 0...59), let second = number(clock[2], 0...60)
    else { return nil }
    let days = Gregorian.days(fromYear: year, month: month + 1, day: day)
    return ((days * 24 + hour) * 60 + minute) * 60 + second
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    Int(text).flatMap { range.contains($0) ? $0 : nil }
  }
}
