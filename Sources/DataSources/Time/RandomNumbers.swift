import Synchronization

/// What is random in a session: the machine's randomness, or what follows from a seed.
package final class RandomNumbers: Sendable {
  private let generator: Mutex<SeededGenerator?>

  /// - Parameter seed: nil for the machine's randomness.
  package init(seed: UInt64? = nil) { generator = Mutex(seed.map { SeededGenerator(seed: $0) }) }

  /// Has all that follows depend on the seed alone.
  package func seed(_ seed: UInt64) { generator.withLock { $0 = SeededGenerator(seed: seed) } }

  /// A number from 0 up to 1.
  package func next() -> Double {
    generator.withLock { generator in
      guard var known = generator else { return Double.random(in: 0..<1) }
      defer { generator = known }
      return Double.random(in: 0..<1, using: &known)
    }
  }
}
