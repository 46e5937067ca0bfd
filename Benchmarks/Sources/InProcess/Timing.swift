import Glibc

/// Times several runs of `body` and prints the minimum and the median.
///
/// The minimum is the time without disturbance; the median shows how much disturbance there was.
func time<Result>(_ label: String, runs: Int = 7, _ body: () throws -> Result) rethrows -> Result {
  let clock = ContinuousClock()
  var durations: [Duration] = []
  var result: Result
  repeat {
    let start = clock.now
    result = try body()
    durations.append(start.duration(to: clock.now))
  } while durations.count < runs
  report(label, durations)
  return result
}

/// Times several runs of a concurrent `body`, which receives the number of the run.
func time<Result>(
  _ label: String, runs: Int = 7, _ body: (Int) async throws -> Result
) async rethrows {
  let clock = ContinuousClock()
  var durations: [Duration] = []
  for run in 0..<runs {
    let start = clock.now
    _ = try await body(run)
    durations.append(start.duration(to: clock.now))
  }
  report(label, durations)
}

/// `load                          12.3 ms      12.9 ms`
func report(_ label: String, _ durations: [Duration]) {
  let sorted = durations.sorted()
  show(label, [sorted[0], sorted[sorted.count / 2]].map(milliseconds))
}

/// Prints a line and flushes it, because some measurements take long.
func show(_ label: String, _ figures: [String]) {
  let name = label + String(repeating: " ", count: max(1, 44 - label.count))
  print(
    name
      + figures.map { String(repeating: " ", count: max(1, 20 - $0.count)) + $0 }.joined())
  fflush(nil)
}

func milliseconds(_ duration: Duration) -> String {
  let microseconds = duration / .microseconds(1)
  return "\((microseconds).rounded() / 1000) ms"
}
