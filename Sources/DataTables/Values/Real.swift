/// A number that is not a plain 64-bit integer. It is displayed as it was written.
public struct Real: Sendable {
  /// The number as it was written: `1.50`, `+5`, `1,234.5`, `NaN`.
  public let text: String
  /// The nearest double; infinite if the number is too large for one.
  public let value: Double
  /// The number in JSON's syntax, or `NaN`, `Infinity` or `-Infinity`; nil if the text is in JSON's
  /// syntax.
  private let plain: String?

  /// - Parameters:
  ///   - text: a number in JSON's syntax.
  ///   - value: the nearest double. Comparison and hashing rely on correct rounding.
  init(text: String, value: Double) {
    self.text = text
    self.value = value
    plain = nil
  }

  /// - Parameters:
  ///   - text: a number in any notation.
  ///   - number: the same number in JSON's syntax.
  ///   - value: the nearest double.
  init(text: String, number: String, value: Double) {
    self.text = text
    self.value = value
    plain = number
  }

  /// A number that JSON does not have.
  init(text: String, _ number: NonFinite) {
    self.init(text: text, number: number.rawValue, value: number.value)
  }

  /// A number with the shortest text that reads back as `value`: `NaN`, `Infinity` or `-Infinity`
  /// if it is not finite.
  public init(_ value: Double) {
    if let nonFinite = NonFinite(value) {
      self.init(text: nonFinite.rawValue, nonFinite)
    } else {
      self.init(text: "\(value)", value: value)
    }
  }

  /// Whether this is a number and not NaN or an infinity. A finite number may be too large for a
  /// double.
  public var isFinite: Bool {
    value.isFinite || (number.utf8.last.map { $0 &- UInt8(ascii: "0") < 10 } ?? false)
  }

  /// Whether the text is in JSON's syntax.
  var isJSON: Bool { plain == nil }

  /// A finite number in JSON's syntax.
  var number: String { plain ?? text }

  /// The numbers that JSON does not have.
  enum NonFinite: String {
    case nan = "NaN"
    case infinity = "Infinity"
    case negativeInfinity = "-Infinity"

    init?(_ value: Double) {
      guard !value.isFinite else { return nil }
      self = value.isNaN ? .nan : value > 0 ? .infinity : .negativeInfinity
    }

    var value: Double {
      switch self {
      case .nan: .nan
      case .infinity: .infinity
      case .negativeInfinity: -.infinity
      }
    }
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
    return value.magnitude < 0x1p53 ? Int(value) : ExactDecimal(number).integer
  }

  /// The order by decimal value: -Infinity, the finite numbers, Infinity, NaN. NaN equals itself.
  func compare(_ other: Real) -> Ordering {
    if value.isNaN || other.value.isNaN {
      return Ordering(value.isNaN ? 1 : 0, other.value.isNaN ? 1 : 0)
    }
    // Rounding keeps the order, so the digits matter only if the doubles are equal.
    if value != other.value { return Ordering(value, other.value) }
    if text == other.text, isJSON == other.isJSON { return .same }
    guard isFinite, other.isFinite else {
      let order = Ordering(isFinite ? 0 : 1, other.isFinite ? 0 : 1)
      return value > 0 ? order : order.reversed
    }
    return ExactDecimal(number).compare(ExactDecimal(other.number))
  }

  func compare(_ integer: Int) -> Ordering {
    if value.isNaN { return .after }
    if value != Double(integer) { return Ordering(value, Double(integer)) }
    return ExactDecimal(number).compare(ExactDecimal(String(integer)))
  }
}
