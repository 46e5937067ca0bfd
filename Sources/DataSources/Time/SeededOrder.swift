/// Chooses tasks by a seed.
///
/// A fetch takes many steps. If each choice were independent, no task would be far ahead of another,
/// and most races would not be found. Therefore one rule applies to a random number of steps.
struct SeededOrder {
  /// With `last`, a task usually continues, because it became ready last when it yielded.
  private enum Rule: CaseIterable { case first, last, any }

  private var generator: SeededGenerator
  private var rule = Rule.any
  private var steps = 0

  /// A rule applies to 1, 2, 4, … or 64 steps, because some scripts are short.
  private static let lengths = 7

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// The index of the next of `count` tasks, which are in the order in which they became ready.
  mutating func index(in count: Int) -> Int {
    guard count > 1 else { return 0 }
    if steps == 0 {
      rule = Rule.allCases[random(below: Rule.allCases.count)]
      steps = 1 << random(below: Self.lengths)
    }
    steps -= 1
    switch rule {
    case .first: return 0
    case .last: return count - 1
    case .any: return random(below: count)
    }
  }

  private mutating func random(below bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }
}
