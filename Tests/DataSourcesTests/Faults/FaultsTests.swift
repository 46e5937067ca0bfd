import Testing

@testable import DataSources

@Suite struct FaultsTests {
  /// The numbers of the attempts that fail among the first ones.
  private func failing(_ faults: Faults, of count: Int = 20) -> [Int] {
    let log = AttemptLog(faults)
    return (1...count).filter { _ in log.begin(.fetch) != nil }
  }

  @Test func eachListedAttemptFailsOnce() {
    let faults = Faults(failing: [FailingAttempt(.fetch, 2), FailingAttempt(.fetch, 5)])
    #expect(failing(faults) == [2, 5])
  }

  @Test func anAttemptOfAnotherUnitDoesNotFail() {
    #expect(failing(Faults(failing: [FailingAttempt(.request, 1)])) == [])
  }

  @Test func aPageFailsWhenItIsFirstRequested() {
    let log = AttemptLog(Faults(failing: [FailingAttempt(.page, 2)]))
    #expect(log.begin(.fetch, pages: [1]) == nil)
    #expect(log.begin(.fetch, pages: [3, 2])?.attempt == FailingAttempt(.page, 2))
    #expect(log.begin(.fetch, pages: [2]) == nil)
    #expect(log.fault(ofPages: [2]) == nil)
  }

  @Test func aPageThatIsListedTwiceFailsTwice() {
    let page = FailingAttempt(.page, 1)
    let log = AttemptLog(Faults(failing: [page, page]))
    #expect((0..<3).map { _ in log.begin(.fetch, pages: [1]) != nil } == [true, true, false])
  }

  @Test(arguments: [0, 0.2, 0.5, 1]) func aRateFailsTheSameAttemptsInEveryRun(rate: Double) {
    let faults = Faults(rate: FailureRate(rate, seed: 7))
    let failed = failing(faults, of: 1_000)
    #expect(failed == failing(faults, of: 1_000))
    #expect(abs(Double(failed.count) - 1_000 * rate) < 50)
    let other = failing(Faults(rate: FailureRate(rate, seed: 8)), of: 1_000)
    #expect((failed == other) == (rate == 0 || rate == 1))
  }

  @Test func aListedAttemptDoesNotChangeWhichOthersTheRateFails() {
    let rate = FailureRate(0.3, seed: 3)
    let drawn = failing(Faults(rate: rate))
    let both = failing(Faults(failing: [FailingAttempt(.fetch, 1)], rate: rate))
    #expect(both == Set(drawn).union([1]).sorted())
  }

  @Test func aMessageNamesTheSetting() {
    let listed = AttemptLog(Faults(failing: [FailingAttempt(.page, 2)]))
    #expect(
      listed.begin(.fetch, pages: [2])?.message(of: "faulty")
        == "`faulty` was asked to fail page 2 (`fail: page 2`)")
    let drawn = AttemptLog(Faults(rate: FailureRate(1, seed: 7)))
    #expect(
      drawn.begin(.request)?.message(of: "stub")
        == "`stub` was asked to fail request 1 (`rate: 1 seed: 7`)")
  }

  @Test func settingsAreWrittenAsTheyAreTyped() {
    #expect(Faults().written.isEmpty && Faults().failures.isEmpty)
    let faults = Faults(
      delay: .milliseconds(1_500),
      failing: [FailingAttempt(.fetch, 3), FailingAttempt(.page, 2)],
      rate: FailureRate(0.2, seed: 7))
    #expect(faults.failures == "fail: fetch 3, page 2 rate: 0.2 seed: 7")
    #expect(faults.written == "delay: 1.5s " + faults.failures)
  }

  @Test(arguments: [
    (Duration.seconds(2), "2s"), (.milliseconds(250), "250ms"), (.microseconds(1), "0.001ms"),
    (.seconds(86_400), "86400s"), (.milliseconds(1_250), "1.25s"),
  ])
  func aTimeIsWrittenWithItsUnit(time: Duration, text: String) { #expect(time.written == text) }
}
