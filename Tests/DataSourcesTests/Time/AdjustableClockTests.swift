import DataSources
import DataTables
import Testing

@Suite struct AdjustableClockTests {
  @Test func aVirtualClockAdvancesOnlyBySleeping() async throws {
    let clock = AdjustableClock(date: 1000)
    let start = clock.now
    try await Task.sleep(for: .milliseconds(2))
    #expect(clock.now == start && clock.date == 1000)
    try await clock.sleep(for: .seconds(86_400))
    #expect(start.duration(to: clock.now) == .seconds(86_400))
    #expect(clock.date == 87_400)
  }

  @Test func sleepsUntilTheSameDeadlineEndAtTheSameTime() async throws {
    let clock = AdjustableClock(date: 0)
    let deadline = clock.now.advanced(by: .seconds(5))
    for _ in 0..<3 { try await clock.sleep(until: deadline, tolerance: nil) }
    #expect(clock.date == 5)
  }

  @Test func aCanceledTaskDoesNotSleep() async throws {
    let clock = AdjustableClock(date: 0)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(5))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.date == 0)
  }

  @Test func settingTheDateDoesNotAdvanceTheClock() async throws {
    let clock = AdjustableClock(date: 1000)
    try await clock.sleep(for: .seconds(10))
    let before = clock.now
    clock.freeze(at: 5)
    #expect(clock.now == before && clock.date == 5)
    try await clock.sleep(for: .seconds(1))
    #expect(before.duration(to: clock.now) == .seconds(1) && clock.date == 6)
  }

  @Test func aTickingClockAdvancesWithEachReading() {
    let clock = AdjustableClock(date: 0, tick: .seconds(1))
    let start = clock.now
    #expect(start.duration(to: clock.now) == .seconds(1))
    #expect(start.duration(to: clock.now) == .seconds(2))
  }

  @Test func switchingToTheSystemTimeAndBackDoesNotJump() async throws {
    let clock = AdjustableClock(date: 0)
    try await clock.sleep(for: .seconds(3600))
    let start = clock.now
    clock.followSystemTime()
    #expect(abs(clock.date - AdjustableClock.systemDate) <= 1)
    try await clock.sleep(for: .milliseconds(2))
    let real = clock.now
    #expect(start.duration(to: real) >= .milliseconds(2))
    #expect(start.duration(to: real) < .seconds(3600))
    clock.freeze()
    let frozen = clock.now
    #expect(real.duration(to: frozen) >= .zero && real.duration(to: frozen) < .seconds(3600))
    #expect(clock.now == frozen)
    #expect(abs(clock.date - AdjustableClock.systemDate) < 3600)
    clock.freeze(at: 7)
    #expect(clock.now == frozen && clock.date == 7)
  }

  @Test func theSystemClockAdvances() async throws {
    let clock = AdjustableClock()
    let start = clock.now
    try await clock.sleep(for: .milliseconds(2))
    #expect(start.duration(to: clock.now) >= .milliseconds(2))
  }
}

@Suite struct RandomNumbersTests {
  @Test func aSeedRepeatsTheNumbers() {
    let randomNumbers = RandomNumbers(seed: 7)
    let first = (0..<5).map { _ in randomNumbers.next() }
    randomNumbers.seed(7)
    #expect((0..<5).map { _ in randomNumbers.next() } == first)
    randomNumbers.seed(8)
    #expect((0..<5).map { _ in randomNumbers.next() } != first)
    #expect(first.allSatisfy { (0..<1).contains($0) } && Set(first).count == 5)
  }

  @Test func withoutASeedNumbersDiffer() {
    let numbers = [RandomNumbers(), RandomNumbers()].map { randomNumbers in
      (0..<5).map { _ in randomNumbers.next() }
    }
    #expect(numbers[0] != numbers[1])
  }
}
