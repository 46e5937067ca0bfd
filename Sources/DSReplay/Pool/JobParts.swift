/// The parts in which workers run the jobs of a run.
///
/// A script that runs under many seeds is divided into ranges of seeds, so that all workers take part.
/// Which seed is reported does not depend on how it is divided.
struct JobParts {
  /// In the order of the jobs, and of the seeds of each.
  let parts: [TestJob]
  /// The job of each part.
  private let owners: [Int]
  private var jobs: [Job]
  private let hasSeveralSeeds: Bool

  /// A job with the results of its parts so far.
  private struct Job {
    let parts: Range<Int>
    /// The first part without a result; all parts before it passed.
    var next: Int
    /// The results of later parts.
    var results: [Int: TestResult] = [:]
    /// The first part that is known to fail.
    var failed: Int?
    /// The usage and the failed attempts of the parts that passed.
    var usage: ScriptUsage?
    var attempts: [FileOutcome] = []
    var isDecided = false

    init(_ parts: Range<Int>) {
      self.parts = parts
      next = parts.lowerBound
    }
  }

  /// The number of parts for each worker. More parts divide the work more evenly, but each reads its
  /// script.
  private static let partsPerWorker = 16
  private static let maxParts = 4096

  /// - Parameters:
  ///   - seeds: the seeds under which each job runs; nil for one run without a given seed.
  ///   - workers: the number of workers.
  init(_ jobs: [TestJob], seeds: ClosedRange<UInt64>?, workers: Int) {
    // Any number of workers is allowed: the product must not overflow.
    let wanted = min(workers, Self.maxParts) * Self.partsPerWorker / max(1, jobs.count)
    let ranges = seeds.map { Self.divide($0, into: max(1, min(wanted, Self.maxParts))) } ?? [nil]
    parts = jobs.flatMap { job in
      ranges.map { seeds in
        var part = job
        part.seeds = seeds
        return part
      }
    }
    owners = jobs.indices.flatMap { Array(repeating: $0, count: ranges.count) }
    self.jobs = jobs.indices.map { Job($0 * ranges.count..<($0 + 1) * ranges.count) }
    hasSeveralSeeds = seeds.map { $0.lowerBound < $0.upperBound } ?? false
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

  /// Whether jobs have several parts.
  var areDivided: Bool { parts.count > jobs.count }

  /// Whether the result of a part can still matter: no smaller seed of its job is known to fail.
  func isNeeded(_ part: Int) -> Bool {
    let job = jobs[owners[part]]
    return !job.isDecided && part <= job.failed ?? part
  }

  /// Adds the result of a part.
  ///
  /// - Returns: the result of its job when it becomes known: that of the first part that fails, or of
  ///   the last one if all pass; nil otherwise.
  mutating func add(_ result: TestResult, of part: Int) -> (job: Int, result: TestResult)? {
    guard isNeeded(part) else { return nil }
    let number = owners[part]
    if result.outcome.hasFailed { jobs[number].failed = part }
    jobs[number].results[part] = result
    // A smaller seed may fail, so results are taken in order.
    while let result = jobs[number].results.removeValue(forKey: jobs[number].next) {
      if jobs[number].attempts.isEmpty { jobs[number].attempts = result.attempts }
      let isLast = jobs[number].next == jobs[number].parts.upperBound - 1
      if result.outcome.hasFailed || isLast {
        jobs[number].isDecided = true
        jobs[number].results = [:]
        return (number, final(result, of: jobs[number]))
      }
      jobs[number].usage.add(result.outcome.usage)
      jobs[number].next += 1
    }
    return nil
  }

  private func final(_ result: TestResult, of job: Job) -> TestResult {
    var outcome = result.outcome
    // The usage of a run that crashed is unknown.
    if outcome.usage != nil { outcome.usage.add(job.usage) }
    outcome.isSmallestSeed = hasSeveralSeeds && outcome.seed != nil
    return TestResult(outcome, attempts: outcome.hasFailed ? result.attempts : job.attempts)
  }

  /// The failures of jobs whose smallest failing seed is not known.
  var failures: [(job: Int, result: TestResult)] {
    jobs.enumerated().compactMap { number, job in
      job.failed.flatMap { job.results[$0] }.map { (number, $0) }
    }
  }
}
