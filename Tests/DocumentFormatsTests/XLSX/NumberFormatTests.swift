import DataTables
import Testing

@testable import DocumentFormats

@Suite struct NumberFormatTests {
  @Test(arguments: [
    ("General", NumberFormat.number), ("0.00", .number), ("#,##0.00 \"days\"", .number),
    ("0.00E+00", .number), ("@", .number), ("[Red]0;[Blue]-0", .number), ("0\\d", .number),
    ("_-* #,##0\\ _€_-", .number), ("0;d", .number),
    ("yyyy-mm-dd", .date), ("d/m/yy;@", .date), ("mmmm", .date), ("[$-409]mmm\\-yy;@", .date),
    ("yyyy\"T\"", .date), ("[Red]dd.mm.yyyy", .date),
    ("h:mm", .time), ("mm:ss.0", .time), ("h:mm AM/PM", .time), ("[$-F400]h:mm:ss\\ AM/PM", .time),
    ("m/d/yy h:mm", .dateAndTime), ("yyyy-mm-ddThh:mm:ss", .dateAndTime),
    ("[h]:mm:ss", .duration), ("[mm]:ss", .duration), ("[ss]", .duration),
  ])
  func codesAreClassified(code: String, format: NumberFormat) {
    #expect(NumberFormat(code: code) == format, "\(code)")
  }

  @Test(arguments: [
    (1.0, "1900-01-01"), (59, "1900-02-28"), (60, "1900-02-29"),
    (61, "1900-03-01"), (45_322, "2024-01-31"), (45_322.4375, "2024-01-31T10:30:00"),
    (45_322.000_000_011_574, "2024-01-31T00:00:00.001"), (2_958_465, "9999-12-31"),
  ])
  func serialNumbersAreDates(serial: Double, text: String) {
    #expect(SerialDate.value(serial, .date, has1904Dates: false)?.json == "\"\(text)\"")
  }

  @Test(arguments: [-1.0, 0, 0.5, 2_958_466, 1e300, .nan, .infinity, -.infinity])
  func numbersBeyondTheCalendarAreNotDates(serial: Double) {
    #expect(SerialDate.value(serial, .date, has1904Dates: false) == nil)
  }

  @Test func dayZeroHasATimeButNoDate() {
    #expect(SerialDate.value(0, .dateAndTime, has1904Dates: false)?.json == "\"00:00:00\"")
    #expect(SerialDate.value(0.5, .time, has1904Dates: false)?.json == "\"12:00:00\"")
    #expect(SerialDate.value(0, .date, has1904Dates: true)?.json == "\"1904-01-01\"")
  }

  @Test func durationsMayBeNegativeOrLong() {
    #expect(SerialDate.value(-0.5, .duration, has1904Dates: false)?.json == "\"-12:00:00\"")
    #expect(SerialDate.value(10.5, .duration, has1904Dates: false)?.json == "\"252:00:00\"")
  }
}
