import Testing

@testable import DataSources

@Suite struct WrittenSecondsTests {
  @Test(arguments: [
    (60.0, "60 s"), (0.25, "0.25 s"), (3.98973238922989, "3.99 s"), (1e20, "1e+20 s"),
    (.infinity, "inf s"),
  ])
  func secondsAreWrittenToTheMillisecond(seconds: Double, written: String) {
    #expect(seconds.writtenAsSeconds == written)
  }
}
