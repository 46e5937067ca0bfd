import Testing

@testable import DataTables

@Suite struct MailDateTests {
  @Test(arguments: [
    ("Sat, 07 Sep 2002 09:42:31 GMT", "2002-09-07T09:42:31Z"),
    ("7 Sep 02 09:42 EST", "2002-09-07T09:42:00-05:00"),
    ("Sun, 19 May 1969 15:21:36 +0530", "1969-05-19T15:21:36+05:30"),
    ("Tues,  3 Sept 2002 09:42 PDT", "2002-09-03T09:42:00-07:00"), ("01 Jan 70", "1970-01-01"),
    ("Wed, 1 January 2025 00:00:00", "2025-01-01T00:00:00"),
  ])
  func aDateBecomesISO8601(text: String, iso: String) {
    #expect(Moment(mailDate: text)?.isoText == iso)
  }

  @Test(arguments: [
    "", "yesterday", "2002-09-07", "Sat, 07 Sep 2002 25:00:00 GMT", "07 Foo 2002",
    "Sat, 07 Sep 2002 09:42:31 Mars", "32 Sep 2002", "7 Sep 202", "Sat, 7 Sep 2002 9:4:3 +99",
    "1 2 3 4 5 6", "07-09-2002", "Sat, 07 Sep 2002 GMT", "Sat, 07 Sep 2002 09:42 +0100 EST",
    "Sat, 07 Sep 2002 09:42:60 GMT", "Sep 7, 2002",
  ])
  func otherTextsAreNotDates(text: String) {
    #expect(Moment(mailDate: text) == nil)
  }
}
