import TestSupport
import Testing

@testable import DataTables

/// Dates in other forms than ISO's.
struct WrittenDateTests {
  private static func date(_ text: String) -> WrittenDate? {
    var text = text
    return text.withUTF8 { WrittenDate(UnsafeRawBufferPointer($0)) }
  }

  private static func iso(_ text: String) -> Moment? {
    var text = text
    return text.withUTF8 { Scalar.moment(UnsafeRawBufferPointer($0)) }
  }

  @Test(arguments: [
    ("31/01/2024", "d/m/y", "2024-01-31"), ("01/31/2024", "m/d/y", "2024-01-31"),
    ("31.01.2024", "d/m/y", "2024-01-31"), ("2024/1/31", "y/m/d", "2024-01-31"),
    ("31-Jan-24", "d/m/y", "2024-01-31"), ("Jan 31, 2024", "m/d/y", "2024-01-31"),
    ("January 31 2024", "m/d/y", "2024-01-31"), ("31 January 2024", "d/m/y", "2024-01-31"),
    ("2024-Jan-31", "y/m/d", "2024-01-31"), ("1-31-2024", "m/d/y", "2024-01-31"),
    ("31/01/2024 17:30", "d/m/y", "2024-01-31 17:30"),
    ("31.01.2024, 7:30:05", "d/m/y", "2024-01-31 07:30:05"),
    ("1/31/2024 5:30 PM", "m/d/y", "2024-01-31 17:30"),
    ("1/31/2024 12:00 AM", "m/d/y", "2024-01-31 00:00"),
    ("1/31/2024 12:30pm", "m/d/y", "2024-01-31 12:30"),
    ("Wed, 31 Jan 2024 10:00:00 +0100", "d/m/y", "2024-01-31T10:00:00+01:00"),
    ("31 Jan 2024 10:00:00 GMT", "d/m/y", "2024-01-31T10:00:00Z"),
    ("31/Jan/2024:10:00:00 -0700", "d/m/y", "2024-01-31T10:00:00-07:00"),
    ("  31/01/2024 ", "d/m/y", "2024-01-31"), ("29/02/2024", "d/m/y", "2024-02-29"),
    ("31-Dec-69", "d/m/y", "1969-12-31"), ("31-Dec-68", "d/m/y", "2068-12-31"),
  ])
  func oneOrderFits(text: String, order: String, iso: String) throws {
    let date = try #require(Self.date(text), "\(text)")
    let order = try #require(WrittenDate.Order(rawValue: order))
    #expect(date.orders.orders == [order], "\(text)")
    #expect(date.moment(order) == Self.iso(iso), "\(text)")
  }

  @Test(arguments: ["01/02/2024", "05-05-2024", "12/11/2024 10:00"])
  func dayAndMonthMayBeUndecided(text: String) {
    #expect(Self.date(text)?.orders == [.dayMonthYear, .monthDayYear])
  }

  @Test(arguments: ["d/m/y", "m/d/y", "y/m/d"])
  func dotsSeparateDayMonthAndYear(order: String) throws {
    let order = try #require(WrittenDate.Order(rawValue: order))
    #expect(Self.date("01.09.2023")?.moment(order) == Self.iso("2023-09-01"))
    #expect(Self.date("01.09.2023")?.orders == .dayMonthYear)
    #expect(Self.date("09.14.2023")?.moment(order) == nil)
  }

  @Test(arguments: [("10.12.07", true), ("10-12-07", true), ("10/12/07", false)])
  func versionsAreDoubtful(text: String, isDoubtful: Bool) {
    #expect(Self.date(text)?.isDoubtful == isDoubtful)
  }

  @Test(arguments: [
    "", "31/01", "31/01/", "31/13/2024/1", "31/01-2024", "1/2/3", "a/b/c", "31/01/2024 25:00",
    "31/01/2024 13:00 PM", "31/01/2024 0:00 AM", "31/01/2024x", "Foo 31, 2024", "Jan Feb 2024",
    "1.2", "10 12 2024", "12:30", "2024-01-31T", "31 Jan", "Jan 31, 20245", "12/12/12/12",
  ])
  func otherTextsAreNotDates(text: String) {
    #expect(Self.date(text).map { $0.orders.isEmpty } ?? true, "\(text)")
  }

  @Test(arguments: ["30/02/2024", "29/02/2023", "00/01/2024", "32/13/2024"])
  func daysThatDoNotExistFitNoOrder(text: String) {
    #expect(Self.date(text)?.orders.isEmpty == true)
  }

  /// Every day of some years in every form reads back as that day, and no text crashes.
  @Test(arguments: [UInt64(1), 2, 3])
  func randomDatesReadBack(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    for _ in 0..<5_000 {
      let time = CivilTime(seconds: (random.below(60_000) - 20_000) * 86_400)
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      let (d, m, y) = (two(time.day), two(time.month), "\(time.year)")
      let name = months[time.month - 1]
      let forms: [(String, WrittenDate.Order)] = [
        ("\(d)/\(m)/\(y)", .dayMonthYear), ("\(time.month)/\(time.day)/\(y)", .monthDayYear),
        ("\(y).\(m).\(d)", .yearMonthDay), ("\(d) \(name) \(y)", .dayMonthYear),
        ("\(name) \(time.day), \(y)", .monthDayYear),
      ]
      for (text, order) in forms {
        let moment = Self.date(text)?.moment(order)
        #expect(moment == Self.iso("\(y)-\(m)-\(d)"), "seed \(seed): \(text)")
        var bytes = Array(text.utf8)
        bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.below(256))
        _ = bytes.withUnsafeBytes { WrittenDate($0)?.orders }
        _ = bytes.prefix(random.below(bytes.count)).withUnsafeBytes { WrittenDate($0)?.orders }
      }
    }
  }
}

/// Dates in the form of a pattern.
struct DatePatternTests {
  private static func moment(_ pattern: String, _ text: String) -> Moment? {
    var text = text
    return text.withUTF8 { DatePattern(pattern)?.moment(UnsafeRawBufferPointer($0)) }
  }

  private static func iso(_ text: String) -> Moment? {
    var text = text
    return text.withUTF8 { Scalar.moment(UnsafeRawBufferPointer($0)) }
  }

  @Test(arguments: [
    ("dd.MM.yyyy", "31.01.2024", "2024-01-31"), ("yyyyMMdd", "20240131", "2024-01-31"),
    ("d/M/yy", "31/1/69", "1969-01-31"), ("MMM d, yyyy", "Jan 31, 2024", "2024-01-31"),
    ("EEE, d MMMM yyyy", "Wed, 31 January 2024", "2024-01-31"),
    ("yyyy-MM-dd'T'HH:mm:ss.SSSX", "2024-01-31T10:20:30.5+01:00", "2024-01-31T10:20:30.5+01:00"),
    ("dd.MM.yyyy h:mm a", "31.01.2024 5:30 pm", "2024-01-31T17:30"),
    ("yyyyMMddHHmmss", "20240131102030", "2024-01-31T10:20:30"),
    ("d 'de' M 'de' yyyy", "31 de 1 de 2024", "2024-01-31"),
    ("yyyy''MM''dd", "2024'01'31", "2024-01-31"),
  ])
  func aDateInTheFormIsRead(pattern: String, text: String, iso: String) {
    #expect(Self.moment(pattern, text) == Self.iso(iso), "\(pattern) \(text)")
  }

  @Test(arguments: [
    ("dd.MM.yyyy", "1.01.2024"), ("dd.MM.yyyy", "31.02.2024"), ("dd.MM.yyyy", "31.01.2024 "),
    ("dd.MM.yyyy", "31.01.202"), ("HH:mm dd.MM.yyyy", "24:00 31.01.2024"),
    ("yyyy-MM-dd", ""), ("MMM d yyyy", "Foo 1 2024"),
  ])
  func otherTextsDoNotFit(pattern: String, text: String) {
    let trimmed = text.last == " " ? nil : Self.moment(pattern, text)
    #expect(trimmed == nil, "\(pattern) \(text)")
  }

  @Test(arguments: [
    "", "integer", "dd.MM", "yyyy", "dd.MM.yyy", "dd.MM.yyyy yyyy", "dd.MM.yyyy h:mm", "Q",
    "dd.MM.yyyy 'open", "dd.MM.yyyy SSS", "foo",
  ])
  func otherPatternsAreRejected(pattern: String) {
    #expect(DatePattern(pattern) == nil)
  }

  @Test(arguments: [
    ("0", 0, "1970-01-01T00:00:00Z"), ("1700000000", 0, "2023-11-14T22:13:20Z"),
    ("1700000000123", 3, "2023-11-14T22:13:20.123Z"), ("-1", 0, "1969-12-31T23:59:59Z"),
    ("-0.5", 0, "1969-12-31T23:59:59.500Z"), ("0.25", 3, "1970-01-01T00:00:00.000250000Z"),
    ("1e3", 0, "1970-01-01T00:16:40Z"),
  ])
  func epochsAreTimes(number: String, places: Int, iso: String) {
    let moment = Moment(epoch: Value(literal: number), places: places)
    #expect(moment?.isoText == iso)
  }

  @Test(arguments: ["1e30", "-1e12", "0.0000000001", "1e-1000000000", "1e1000000000"])
  func timesOutsideOfTheCalendarAreRejected(number: String) {
    #expect(Moment(epoch: Value(literal: number), places: 0) == nil)
  }
}
