/// Times `body` several times over and prints the least and the middle time.
///
/// The least is what the machine can do when nothing disturbs it; the middle tells how much did.
func time<Result>(_ label: String, runs: Int = 7, _ body: () throws -> Result) rethrows -> Result {
  let clock = ContinuousClock()
  var durations: [Duration] = []
  var result: Result
  repeat {
    let start = clock.now
    result = try body()
    durations.append(start.duration(to: clock.now))
  } while durations.count < runs
  durations.sort()
  print(line(label, durations[0], durations[durations.count / 2]))
  return result
}

/// `load                          12.3 ms      12.9 ms`
private func line(_ label: String, _ least: Duration, _ middle: Duration) -> String {
  let name = label + String(repeating: " ", count: max(1, 44 - label.count))
  return name
    + [least, middle].map { text in
      let shown = milliseconds(text)
      return String(repeating: " ", count: max(1, 14 - shown.count)) + shown
    }.joined()
}

private func milliseconds(_ duration: Duration) -> String {
  let microseconds = duration / .microseconds(1)
  return "\((microseconds).rounded() / 1000) ms"
}
