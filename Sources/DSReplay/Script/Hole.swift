/// What may stand where a pattern has `{…}`.
enum Hole: Sendable, Equatable {
  /// `{*}`: anything, also nothing.
  case anything
  /// `{int}`: digits with a sign, perhaps in groups of three with commas: `-12`, `1,988,214`.
  case integer
  /// `{num}`: a number, perhaps with a fraction and an exponent. With a tolerance, as
  /// `{num~1e-6}`, a later `{n}` agrees when it is that near.
  case number(tolerance: Double?)
  /// `{456.5~1e-3}`: a number that near to this one.
  case near(Double, tolerance: Double)
  /// `{duration}`: numbers with units of time: `12.3 ms`, `1 min 3 s`.
  case duration
  /// `{date}`: ISO 8601, with or without a time and a zone.
  case date
  /// `{path}`: no white space.
  case path
  /// `{uuid}`: 8-4-4-4-12 hexadecimal digits.
  case uuid
  /// `{hex}`: hexadecimal digits, perhaps after `0x`.
  case hexadecimal

  private static let byName: [(name: String, hole: Hole)] = [
    ("*", .anything), ("int", .integer), ("num", .number(tolerance: nil)), ("duration", .duration),
    ("date", .date), ("path", .path), ("uuid", .uuid), ("hex", .hexadecimal),
  ]
  static var names: [String] { byName.map(\.name) }

  /// - Parameter text: what stands in the braces: `int`, `num~1e-6`.
  /// - Returns: nil when there is no such hole.
  init?(_ text: String) {
    if let known = Self.byName.first(where: { $0.name == text }) {
      self = known.hole
      return
    }
    let parts = text.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let tolerance = Self.tolerance(parts[1]) else { return nil }
    if parts[0] == "num" {
      self = .number(tolerance: tolerance)
    } else if let number = Double(String(parts[0])), number.isFinite {
      self = .near(number, tolerance: tolerance)
    } else {
      return nil
    }
  }

  static func tolerance(_ text: Substring) -> Double? {
    guard let value = Double(String(text)), value.isFinite, value >= 0 else { return nil }
    return value
  }

  /// Whether two numbers agree: the difference is at most `tolerance`, or that part of the larger of
  /// 1 and the expected one.
  static func agree(_ number: Double, _ expected: Double, tolerance: Double) -> Bool {
    abs(number - expected) <= tolerance * max(1, abs(expected))
  }
}
