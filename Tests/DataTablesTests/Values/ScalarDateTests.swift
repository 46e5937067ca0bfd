import Testing

@testable import DataTables

@Suite struct ScalarDateTests {
  @Test(
    arguments: [
      ("1970-01-01", 0, 0, nil), ("1969-12-31", -86_400, 0, nil),
      ("2012-11-01", 1_351_728_000, 0, nil), ("2012-11-01T10:30", 1_351_765_800, 0, nil),
      ("2012-11-01 10:30:05", 1_351_765_805, 0, nil),
      ("2012-11-01T10:30:05Z", 1_351_765_805, 0, 0),
      ("2012-11-01T10:30:05.5+01:00", 1_351_765_805, 500_000_000, 3600),
      ("2012-11-01T10:30:05.000000001-0130", 1_351_765_805, 1, -5400),
      ("2012-11-01 10:30:05,120", 1_351_765_805, 120_000_000, nil),
      ("2012-11-01T10:30+14", 1_351_765_800, 0, 50_400),
      ("2000-02-29", 951_782_400, 0, nil), ("0000-01-01", -62_167_219_200, 0, nil),
      ("9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999, 0),
    ] as [(String, Int, Int, Int?)])
  func isoFormsAreDates(_ text: String, _ seconds: Int, _ nanoseconds: Int, _ offset: Int?) {
    guard case .date(let date) = Value(literal: text) else {
      Issue.record("\(text) is not a date")
      return
    }
    #expect(date.text == text)
    #expect(date.seconds == seconds)
    #expect(date.nanoseconds == nanoseconds)
    #expect(date.offset == offset)
    #expect(date.hasTime == (text.count > 10))
  }

  @Test(arguments: [
    "2012-11-31", "2013-02-29", "1900-02-29", "2012-00-01", "2012-13-01", "2012-01-00",
    "2012-1-01", "2012/11/01", "2012-1101", "2012-11-1", "2012-11-01T", "2012-11-01T10",
    "2012-11-01T24:00", "2012-11-01T10:60", "2012-11-01T10:30:60", "2012-11-01T10:30:05.",
    "2012-11-01T10:30:05,",
    "2012-11-01T10:30:05.1234567890", "2012-11-01T10:30:05+", "2012-11-01T10:30+1",
    "2012-11-01T10:30+01:", "2012-11-01T10:30+24:00", "2012-11-01T10:30ZZ", "2012-11-01x10:30",
    "2012-11-01Z", " 2012-11-01", "2012-11-01 ", "12:30", "２012-11-01", "+2012-11-01",
  ])
  func otherFormsAreStrings(text: String) {
    #expect(Value(literal: text) == .string(text))
  }

  /// Counts days one by one from 1600-01-01, a Saturday.
  @Test func theCalendarAgreesWithCountingDays() {
    var (year, month, day) = (1600, 1, 1)
    var weekday = 6
    let start = Gregorian.days(fromYear: 1600, month: 1, day: 1)
    for days in start..<start + 330_000 {
      let date = Gregorian.date(fromDays: days)
      if date != (year, month, day)
        || Gregorian.days(fromYear: year, month: month, day: day) != days
        || Gregorian.weekday(ofDays: days) != weekday
      {
        Issue.record("\(year)-\(month)-\(day)")
      }
      weekday = weekday % 7 + 1
      day += 1
      if day > Gregorian.days(inMonth: month, of: year) { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
  }

  @Test(arguments: [
    ("2012-11-01", 2012, 44), ("2010-01-03", 2009, 53), ("2010-01-04", 2010, 1),
    ("2008-12-29", 2009, 1), ("2005-01-01", 2004, 53), ("2016-01-03", 2015, 53),
    ("2012-12-31", 2013, 1), ("2000-01-01", 1999, 52),
  ])
  func weeksBelongToTheYearOfTheirThursday(_ text: String, _ year: Int, _ week: Int) {
    let civil = Scalar.reading(text, Scalar.date)?.civil()
    #expect(civil?.weekYear == year)
    #expect(civil?.week == week)
  }

  @Test func onlyTimestampsWithAZoneShift() {
    let zoned = Scalar.reading("2012-12-31T23:30Z", Scalar.date)
    #expect(zoned?.civil().year == 2012)
    #expect(zoned?.civil(zone: 3600).year == 2013)
    #expect(zoned?.civil(zone: 3600).minute == 30)
    let plain = Scalar.reading("2012-12-31T23:30", Scalar.date)
    #expect(plain?.civil(zone: 3600).year == 2012)
    #expect(Scalar.reading("2012-11-01T00:30+01:00", Scalar.date)?.civil().month == 10)
  }

  @Test func ticksKeepTheOrderOfTimes() {
    let ascending = [
      "0000-01-01", "1969-12-31T23:59:59.9999999Z", "1970-01-01", "2012-11-01T00:00+01:00",
      "2012-11-01", "2012-11-01T00:00:00.0000001", "9999-12-31T23:59:59.9999999-23:59",
    ]
    let ticks = ascending.compactMap { Scalar.reading($0, Scalar.moment)?.ticks }
    #expect(ticks.count == ascending.count)
    #expect(ticks == ticks.sorted())
    #expect(Set(ticks).count == ticks.count)
    #expect(Scalar.reading("2012-11-01T00:00:00.00000001", Scalar.moment)?.ticks == nil)
  }
}
