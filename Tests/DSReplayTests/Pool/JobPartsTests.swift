import DataSources
import Testing

@testable import DSReplay

/// Scripts that run under many seeds are divided among the workers.
@Suite struct JobPartsTests {
  private let job = TestJob(path: "a.ds", line: 3)

  private func outcome(failsAt seed: UInt64? = nil, unused: Set<UnusedExchange> = []) -> FileOutcome
  {
    var outcome = FileOutcome(path: "a.ds")
    var section = SectionOutcome(title: nil, line: 1)
    section.status = seed == nil ? .passed : .failed
    outcome.sections = [section]
    outcome.seed = seed
    var usage = ScriptUsage()
    usage.cassettes = ["c": unused]
    outcome.usage = usage
    return outcome
  }

  @Test func withoutSeedsEachJobIsAPart() {
    var jobs = JobParts([job, TestJob(path: "b.ds")], seeds: nil, workers: 4)
    #expect(jobs.parts == [job, TestJob(path: "b.ds")])
    let result = jobs.add(TestResult(outcome()), of: 1)
    #expect(result?.job == 1 && result?.result.outcome.isSmallestSeed == false)
    #expect(jobs.isNeeded(0) && !jobs.isNeeded(1))
  }

  @Test(arguments: [
    1...1, 1...2, 1...7, 1...1000, 5...5, 3...40, 1...UInt64.max, 0...UInt64.max,
  ])
  func thePartsAreAllSeedsInOrder(seeds: ClosedRange<UInt64>) throws {
    for (workers, count) in [(1, 1), (2, 1), (2, 3), (4, 100), (Int.max, 1), (0, 1)] {
      let jobs = (0..<count).map { TestJob(path: "\($0).ds", line: 2) }
      let parts = JobParts(jobs, seeds: seeds, workers: workers).parts
      #expect(parts.count % count == 0 && parts.count / count <= 4096)
      for (number, job) in jobs.enumerated() {
        let length = parts.count / count
        let ranges = try parts[number * length..<(number + 1) * length].map {
          #expect($0.path == job.path && $0.line == 2)
          return try #require($0.seeds)
        }
        #expect(ranges.first?.lowerBound == seeds.lowerBound)
        #expect(ranges.last?.upperBound == seeds.upperBound)
        for (range, next) in zip(ranges, ranges.dropFirst()) {
          #expect(range.upperBound + 1 == next.lowerBound)
        }
      }
    }
  }

  @Test(arguments: 0..<200)
  func theSmallestSeedThatFailsIsReported(order: Int) throws {
    var random = SeededGenerator(seed: UInt64(order))
    let failing = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      UInt64.random(in: 1...100, using: &random)
    }
    var jobs = JobParts([job], seeds: 1...100, workers: 2)
    var results: [TestResult] = []
    for part in jobs.parts.indices.shuffled(using: &random) where jobs.isNeeded(part) {
      let seed = failing.filter { jobs.parts[part].seeds?.contains($0) == true }.min()
      if let (_, result) = jobs.add(TestResult(outcome(failsAt: seed)), of: part) {
        results.append(result)
      }
    }
    let result = try #require(results.first)
    #expect(results.count == 1)
    #expect(result.outcome.seed == failing.min())
    #expect(result.outcome.isSmallestSeed == !failing.isEmpty)
    #expect(result.outcome.hasFailed == !failing.isEmpty)
  }

  @Test func aJobIsDecidedAsSoonAsAllSmallerSeedsPassed() {
    var jobs = JobParts([job], seeds: 1...32, workers: 2)
    #expect(jobs.add(TestResult(outcome(failsAt: 3)), of: 2) == nil)
    #expect(jobs.add(TestResult(outcome(failsAt: 30)), of: 29) == nil)
    #expect(jobs.add(TestResult(outcome()), of: 0) == nil)
    #expect(jobs.isNeeded(1) && !jobs.isNeeded(5) && !jobs.isNeeded(29))
    #expect(jobs.failures.map(\.result.outcome.seed) == [3])
    #expect(jobs.add(TestResult(outcome()), of: 1)?.result.outcome.seed == 3)
    #expect(jobs.add(TestResult(outcome(failsAt: 1)), of: 5) == nil)
    #expect(jobs.failures.isEmpty)
  }

  @Test func attemptsAreThoseOfOnePart() {
    for isFailing in [false, true] {
      var jobs = JobParts([job], seeds: 1...3, workers: 1)
      let first = outcome(failsAt: 1), second = outcome(failsAt: 2)
      #expect(jobs.add(TestResult(outcome(), attempts: [first]), of: 0) == nil)
      #expect(jobs.add(TestResult(outcome(), attempts: [second]), of: 1) == nil)
      let last = outcome(failsAt: isFailing ? 3 : nil)
      #expect(jobs.add(TestResult(last), of: 2)?.result.attempts == (isFailing ? [] : [first]))
    }
  }

  @Test func attemptsAndUsageOfAllPartsAreCollected() {
    var jobs = JobParts([job], seeds: 1...2, workers: 1)
    let a = UnusedExchange(line: 1, request: "a"), b = UnusedExchange(line: 2, request: "b")
    let failed = outcome(failsAt: 1)
    #expect(jobs.add(TestResult(outcome(unused: [a, b]), attempts: [failed]), of: 0) == nil)
    let result = jobs.add(TestResult(outcome(unused: [b])), of: 1)?.result
    #expect(result?.attempts == [failed])
    #expect(result?.outcome.usage?.cassettes == ["c": [b]])
  }
}
