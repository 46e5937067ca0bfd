/// A number that is not a plain 64-bit integer. It is displayed as it was written.
public struct Real: Sendable {
  /// The text, in JSON's number syntax.
  public let text: String
  /// The nearest double; infinite if the number is too large for one.
  public let value: Double

  /// - Parameters:
  ///   - text: a number in JSON's syntax.
  ///   - value: the nearest double. Comparison and hashing rely on correct rounding.
  init(text: String, value: Double) {
    self.text = text
    self.value = value
  }

  /// A number with the shortest text that reads back as `value`; nil for infinities and NaN, which
  /// JSON does not have.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    self.init(text: "\(value)", value: value)
  }
}

extension Real: Hashable {
  public static func == (left: Real, right: Real) -> Bool { left.compare(right) == .same }

  /// Equal numbers have equal hashes, whether they are integers or reals.
  public func hash(into hasher: inout Hasher) {
    if let integer = hashedInteger {
      hasher.combine(integer)
    } else {
      hasher.combine(value)
    }
  }

  private var hashedInteger: Int? {
    guard value == value.rounded(.towardZero), value.magnitude <= 0x1p63 else { return nil }
    // Below 2^53 the double identifies the integer; above, only the digits do.
    return value.magnitude < 0x1p53 ? Int(value) : ExactDecimal(text).integer
  }

  /// The order by decimal value.
  func compare(_ other: Real) -> Ordering {
    // Rounding keeps the order, so the digits matter only if the doubles are equal.
    if value != other.value { return Ordering(value, other.value) }
    if text == other.text { return .same }
    return ExactDecimal(text).compare(ExactDecimal(other.text))
  }

  func compare(_ integer: Int) -> Ordering {
    if value != Double(integer) { return Ordering(value, Double(integer)) }
    return ExactDecimal(text).compare(ExactDecimal(String(integer)))
  }
}
