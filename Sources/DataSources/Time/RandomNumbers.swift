import Synchronization

/// The random numbers of a session: the system's, or numbers determined by a seed.
package final class RandomNumbers: Sendable {
  private let generator: Mutex<SeededGenerator?>

  /// - Parameter seed: nil for the system's random numbers.
  package init(seed: UInt64? = nil) { generator = Mutex(seed.map { SeededGenerator(seed: $0) }) }

  /// Makes all following numbers depend only on the seed.
  package func seed(_ seed: UInt64) { generator.withLock { $0 = SeededGenerator(seed: seed) } }

  /// A random number in `0..<1`.
  package func next() -> Double {
    generator.withLock { generator in
      guard var seeded = generator else { return Double.random(in: 0..<1) }
      defer { generator = seeded }
      return Double.random(in: 0..<1, using: &seeded)
    }
  }
}

/// Random numbers that depend only on a seed: SplitMix64 (Steele, Lea, Flood, 2014).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
