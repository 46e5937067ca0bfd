import DSInterpreter
import DSRendering

/// For people: every failure in its printed form, and a summary.
struct HumanReport: TestReport {
  static let name = "human"
  private var seed: UInt64?

  mutating func begin(seed: UInt64?) -> String {
    self.seed = seed
    return ""
  }

  mutating func add(_ result: TestResult) -> String {
    var pictures = result.outcome.mistakes
    pictures += result.outcome.failures.map { $0.picture.joined(separator: "\n") }
    if result.isFlaky, let first = result.attempts.first {
      let times = result.attempts.count
      pictures.append(
        "FLAKY \(result.outcome.path.escapingControls()): passed after \(counted(times, "failed attempt"))"
      )
      pictures += first.failures.map { $0.picture.joined(separator: "\n") }
    }
    return pictures.map { $0 + "\n\n" }.joined()
  }

  mutating func end(_ summary: TestSummary) -> String {
    let order = seed.map { "shuffled with --shuffle=\($0)\n" } ?? ""
    return order + summary.sentence + "\n"
  }
}
