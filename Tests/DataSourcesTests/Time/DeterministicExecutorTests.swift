import DataSources
import DataTables
import Testing

/// Tasks that take turns on one thread, with a virtual clock.
@Suite struct DeterministicExecutorTests {
  /// The steps of several tasks of a run, in order.
  private actor Run {
    private let executor: DeterministicExecutor
    let clock = AdjustableClock(date: 0)
    private(set) var steps: [String] = []
    private var isDone = false

    init(_ isolation: DeterministicExecutor.Isolation) { executor = isolation.executor }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Ends with a task that sleeps.
    func leaveSleeping(_ ended: AsyncStream<Void>.Continuation) async {
      _ = start {
        try? await self.clock.sleep(for: .seconds(5))
        ended.finish()
      }
      await Task.yield()
    }

    /// Starts a task that belongs to the executor.
    private func start(_ work: @escaping () async -> Void) -> Task<Void, Never> {
      Task {
        _ = self
        await withTaskExecutorPreference(executor) { await work() }
      }
    }

    func note(_ step: String) { steps.append("\(step) at \(clock.date)") }

    func sleep(_ name: String, _ seconds: Int) async {
      try? await clock.sleep(for: .seconds(seconds))
      note(name)
    }

    func sleepAll(_ sleeps: [(name: String, seconds: Int)]) async {
      let tasks = sleeps.map { sleep in
        start { await self.sleep(sleep.name, sleep.seconds) }
      }
      for task in tasks { await task.value }
    }

    /// A task in the background while this one advances the clock.
    func advancePast(_ seconds: [Int], by step: Int) async {
      let tasks = seconds.map { seconds in
        start {
          // Two sleeps, so that the second begins at the end of the first.
          await self.sleep("first", seconds)
          await self.sleep("second", seconds)
        }
      }
      await executor.settle()
      note("begin")
      await clock.advance(by: .seconds(step))
      await executor.settle()
      note("end")
      for task in tasks { await task.value }
    }

    func settle() async {
      let task = start {
        for step in 1...3 {
          self.note("step \(step)")
          await Task.yield()
        }
      }
      await executor.settle()
      note("settled")
      await task.value
    }

    /// Three tasks of three steps each, which end their steps in the order of the executor.
    func interleave() async {
      let tasks = ["a", "b", "c"].map { name in
        start {
          for step in 1...3 {
            self.note("\(name)\(step)")
            await Task.yield()
          }
        }
      }
      for task in tasks { await task.value }
    }

    func waitOutside() async {
      let task = start { try? await self.clock.sleep(for: .seconds(9)) }
      await executor.settle()
      await DeterministicExecutor.outside { try? await Task.sleep(for: .milliseconds(20)) }
      note("outside")
      await task.value
      note("slept")
    }

    func wait(isFlag: Bool) async {
      let cancellation = Cancellation()
      let task = start {
        do {
          try await self.clock.sleep(for: .seconds(5), cancellation: cancellation)
        } catch {
          self.note("canceled")
        }
      }
      await executor.settle()
      if isFlag { cancellation.cancel() } else { task.cancel() }
      await task.value
    }

    func waitForCondition() async {
      let task = start {
        try? await self.clock.sleep(for: .seconds(3))
        self.isDone = true
      }
      await clock.wait(until: clock.now.advanced(by: .seconds(2))) { self.isDone }
      note("deadline")
      await clock.wait { self.isDone }
      note("condition")
      await task.value
    }

    func becomeReal() async {
      let task = start { try? await self.clock.sleep(for: .milliseconds(5)) }
      await executor.settle()
      clock.followSystemTime()
      await task.value
      note("woke")
    }

    /// Work of a task that prefers the executor, outside of the actor.
    func callOutsideOfTheActor() async -> Bool {
      await withTaskExecutorPreference(executor) { await DeterministicExecutorTests.isOnExecutor() }
    }
  }

  @concurrent
  private static func isOnExecutor() async -> Bool {
    // Only a task on the executor lets the clock jump.
    let clock = AdjustableClock(date: 0)
    await clock.wait(until: clock.now.advanced(by: .seconds(3600))) { false }
    return clock.date == 3600
  }

  private func steps(
    seed: UInt64? = nil, _ body: @escaping @Sendable (Run) async throws -> Void
  ) async -> [String] {
    await DeterministicExecutor.run(seed: seed) { isolation in
      let run = Run(isolation)
      do { try await body(run) } catch { return ["\(error)"] }
      return await run.steps
    }
  }

  @Test func sleepsEndInTheOrderOfTheirDeadlines() async {
    let steps = await steps {
      await $0.sleepAll([("a", 3), ("b", 1), ("c", 2), ("d", 1)])
    }
    #expect(steps == ["b at 1", "d at 1", "c at 2", "a at 3"])
  }

  @Test func timePassesInStepsWhileTheClockIsAdvanced() async {
    let steps = await steps { await $0.advancePast([2, 4], by: 5) }
    #expect(
      steps == [
        "begin at 0", "first at 2", "first at 4", "second at 4", "end at 5", "second at 8",
      ])
  }

  @Test func withoutASeedAllTasksRunUntilTheyWait() async {
    let steps = await steps { await $0.settle() }
    #expect(steps == ["step 1 at 0", "step 2 at 0", "step 3 at 0", "settled at 0"])
  }

  @Test func aSeedRepeatsTheOrder() async {
    var orders: Set<[String]> = []
    for seed in 1...UInt64(100) {
      let first = await steps(seed: seed) { await $0.interleave() }
      for _ in 0..<5 {
        #expect(await steps(seed: seed) { await $0.interleave() } == first, "seed \(seed)")
      }
      #expect(first.filter { $0.hasPrefix("a") } == ["a1 at 0", "a2 at 0", "a3 at 0"])
      orders.insert(first)
    }
    #expect(orders.count > 20)
    // A task may do all its steps before another begins, whether it started first or last.
    let names = orders.map { steps in steps.map { $0.prefix(1) }.joined() }
    #expect(names.contains { $0.hasPrefix("aaa") })
    #expect(names.contains { $0.hasPrefix("ccc") })
  }

  @Test func theClockDoesNotAdvanceWhileATaskWaitsOutside() async {
    #expect(await steps { await $0.waitOutside() } == ["outside at 0", "slept at 9"])
  }

  @Test(arguments: [true, false])
  func aCanceledSleepDoesNotAdvanceTheClock(isFlag: Bool) async {
    #expect(await steps { await $0.wait(isFlag: isFlag) } == ["canceled at 0"])
  }

  @Test func aWaitEndsAtItsDeadlineOrWithItsCondition() async {
    #expect(await steps { await $0.waitForCondition() } == ["deadline at 2", "condition at 3"])
  }

  @Test func aClockThatBecomesRealEndsTheSleepInRealTime() async {
    #expect(await steps { await $0.becomeReal() }.count == 1)
  }

  @Test func concurrentFunctionsRunOnTheExecutor() async {
    let isOnExecutor = await DeterministicExecutor.run { await Run($0).callOutsideOfTheActor() }
    #expect(isOnExecutor)
  }

  @Test func runsDoNotDisturbEachOther() async {
    await withTaskGroup(of: [String].self) { group in
      for _ in 0..<50 {
        group.addTask { await steps { await $0.sleepAll([("a", 2), ("b", 1)]) } }
      }
      for await steps in group { #expect(steps == ["b at 1", "a at 2"]) }
    }
  }

  @Test func tasksThatARunLeavesBehindEnd() async {
    let (stream, ended) = AsyncStream.makeStream(of: Void.self)
    await DeterministicExecutor.run { await Run($0).leaveSleeping(ended) }
    var count = 0
    for await _ in stream { count += 1 }
    #expect(count == 0)
  }
}
