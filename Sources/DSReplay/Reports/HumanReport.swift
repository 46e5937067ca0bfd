import DSInterpreter
import DSRendering
import DisplayText

/// For people: every failure in its printed form, and a summary.
package struct HumanReport: TestReport {
  package static let name = "human"
  private var seed: UInt64?

  package init() {}

  package mutating func begin(seed: UInt64?) -> String {
    self.seed = seed
    return ""
  }

  package mutating func add(_ result: TestResult) -> String {
    var pictures = result.outcome.mistakes
    pictures += result.outcome.failures.map { $0.picture.joined(separator: "\n") }
    if result.outcome.isSmallestSeed, let seed = result.outcome.seed {
      pictures.append(
        "SEED \(result.outcome.path.escapingControls()): fails under --seed \(seed), the smallest")
    }
    if result.isFlaky, let first = result.attempts.first {
      let times = result.attempts.count
      pictures.append(
        "FLAKY \(result.outcome.path.escapingControls()): passed after \(counted(times, "failed attempt"))"
      )
      pictures += first.failures.map { $0.picture.joined(separator: "\n") }
    }
    return pictures.map { $0 + "\n\n" }.joined()
  }

  package mutating func end(_ summary: TestSummary) -> String {
    let order = seed.map { "shuffled with --shuffle=\($0)\n" } ?? ""
    return order + (summary.unusedLines + [summary.sentence]).map { $0 + "\n" }.joined()
  }

  package static func wrote(_ text: String) -> Bool {
    text.split(separator: "\n").last.map(TestSummary.isSentence) ?? false
  }
}
