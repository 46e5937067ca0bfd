extension DerivedKey {
  static let numberKeys: [DerivedKey] = [
    number("rounded", "the nearest whole number, halves away from 0") { $0.rounded() },
    number("floor", "the whole number at or below") { $0.rounded(.down) },
  ]

  private static func number(
    _ name: String, _ summary: String, _ function: @escaping @Sendable (Double) -> Double
  ) -> DerivedKey {
    DerivedKey(name: name, summary: summary, function: .number(function))
  }
}
