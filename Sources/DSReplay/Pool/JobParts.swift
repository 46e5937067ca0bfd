/// The parts in which workers run the jobs of a run.
///
/// A script that runs under many seeds is divided into ranges of seeds, so that all workers take part.
/// Which seed is reported does not depend on how it is divided.
struct JobParts {
  /// In the order of the jobs, and of the seeds of each.
  let parts: [TestJob]
  /// The job of each part, and the parts of each job.
  private let jobs: [Int]
  private let ranges: [Range<Int>]
  private let hasSeveralSeeds: Bool
  private var results: [Int: TestResult] = [:]
  /// Whether the result of a job is known.
  private var isDecided: [Bool]

  /// The number of parts for each worker. More parts divide the work more evenly, but each reads its
  /// script.
  private static let partsPerWorker = 16
  /// The maximum number of parts of a job.
  private static let maximum = 4096

  /// - Parameters:
  ///   - seeds: the seeds under which each job runs; nil for one run without a given seed.
  ///   - workers: the number of workers.
  init(_ jobs: [TestJob], seeds: ClosedRange<UInt64>?, workers: Int) {
    let wanted = min(workers, Self.maximum) * Self.partsPerWorker / max(1, jobs.count)
    let ranges = seeds.map { Self.divide($0, into: max(1, min(wanted, Self.maximum))) } ?? [nil]
    parts = jobs.flatMap { job in
      ranges.map { seeds in
        var part = job
        part.seeds = seeds
        return part
      }
    }
    self.jobs = jobs.indices.flatMap { Array(repeating: $0, count: ranges.count) }
    self.ranges = jobs.indices.map { $0 * ranges.count..<($0 + 1) * ranges.count }
    hasSeveralSeeds = seeds.map { $0.lowerBound < $0.upperBound } ?? false
    isDecided = Array(repeating: false, count: jobs.count)
  }

  /// Divides seeds into at most a number of ranges of nearly equal lengths.
  private static func divide(
    _ seeds: ClosedRange<UInt64>, into count: Int
  ) -> [ClosedRange<UInt64>?] {
    let distance = (seeds.upperBound - seeds.lowerBound) / UInt64(count)
    var ranges: [ClosedRange<UInt64>] = []
    var first = seeds.lowerBound
    while seeds.upperBound - first > distance {
      ranges.append(first...first + distance)
      first += distance + 1
    }
    return ranges + [first...seeds.upperBound]
  }

  /// Whether the result of a part can still matter.
  func isNeeded(_ part: Int) -> Bool { !isDecided[jobs[part]] }

  /// Adds the result of a part.
  ///
  /// - Returns: the result of its job when it becomes known: that of the first part that fails, or of
  ///   the last one if all pass; nil otherwise.
  /// - Complexity: O(*n*) for a job of *n* parts.
  mutating func add(_ result: TestResult, of part: Int) -> (job: Int, result: TestResult)? {
    let job = jobs[part]
    if isDecided[job] { return nil }
    results[part] = result
    var attempts: [FileOutcome] = []
    var usage: ScriptUsage?
    for number in ranges[job] {
      // A smaller seed may fail.
      guard let result = results[number] else { return nil }
      attempts += result.attempts
      var outcome = result.outcome
      guard outcome.hasFailed || number == ranges[job].upperBound - 1 else {
        usage.add(outcome.usage)
        continue
      }
      // The usage of a run that crashed is unknown.
      if outcome.usage != nil { outcome.usage.add(usage) }
      outcome.isSmallestSeed = hasSeveralSeeds && outcome.seed != nil
      isDecided[job] = true
      for number in ranges[job] { results[number] = nil }
      return (job, TestResult(outcome, attempts: attempts))
    }
    return nil
  }
}
