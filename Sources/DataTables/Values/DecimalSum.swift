/// A sum that is exact if its numbers are decimals with up to nine places, as prices are: 0.1 plus
/// 0.2 is 0.3.
struct DecimalSum {
  /// The sum in units of `10^-places`, as long as it is exact.
  private var units = 0
  private var places = 0
  private var isExact = true
  /// The sum once it is inexact, in units of `1 / scale`, and its accumulated rounding error
  /// (Neumaier 1974).
  private var double = 0.0
  private var lost = 0.0
  /// 1 as long as the sum fits a double, then so small that any sum fits.
  private var scale = 1.0
  /// Whether a finite number was too large for a double.
  private var didOverflow = false

  /// The number of numbers has at most 64 bits.
  private static let smallScale = 0x1p-64

  static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

  init() {}

  /// An exact sum in units of `10^-places`.
  /// - Precondition: `places` is at most 9.
  init(units: Int, places: Int) {
    self.units = units
    self.places = places
  }

  /// The sum in units of `10^-places`; nil if it is not exact, or too large.
  /// - Precondition: `places` is at most 9.
  func units(withPlaces places: Int) -> Int? {
    isExact && places >= self.places ? scaled(units, by: places - self.places) : nil
  }

  /// The decimal places of an exact sum; nil for an inexact one.
  var exactPlaces: Int? { isExact ? places : nil }

  mutating func add(_ integer: Int) {
    guard isExact, let units = scaled(integer, by: places), addUnits(units) else {
      return addInexactly(Double(integer))
    }
  }

  mutating func add(_ number: Real) {
    if !number.value.isFinite, number.isFinite { didOverflow = true }
    add(number.value)
  }

  mutating func add(_ number: Double) {
    guard isExact, let units = exactUnits(of: number), addUnits(units) else {
      return addInexactly(number)
    }
  }

  /// The number in units, after adding places if needed; nil if the sum would become inexact.
  private mutating func exactUnits(of number: Double) -> Int? {
    guard let wanted = Self.places(of: number, atLeast: places) else {
      // A large number can be exact with its own places only.
      guard let own = Self.places(of: number, atLeast: 0), own < places else { return nil }
      return scaled(Int((number * Self.powers[own]).rounded()), by: places - own)
    }
    guard let units = scaled(units, by: wanted - places) else { return nil }
    self.units = units
    places = wanted
    return Int((number * Self.powers[wanted]).rounded())
  }

  /// The decimal places with which a number is exact; nil if it needs more than nine, or too many
  /// digits.
  static func places(of number: Double, atLeast least: Int) -> Int? {
    for places in least..<max(least, powers.count) {
      let scaled = (number * powers[places]).rounded()
      guard scaled.magnitude < 0x1p53 else { return nil }
      // The number is the double nearest to this decimal, so the decimal is the written number.
      if scaled / powers[places] == number { return places }
    }
    return nil
  }

  /// Adding it to a number below 2^51 rounds that to an integer, which is then in the lowest bits.
  private static let rounder = 0x1.8p52

  /// A number in units of `1 / power`; nil unless it is the double nearest to a whole number of them,
  /// and for large numbers.
  /// - Parameter power: one of ``powers``.
  @inline(__always)
  static func units(of number: Double, power: Double) -> Int? {
    let scaled = number * power
    guard scaled.magnitude < 0x1p51, ((scaled + rounder) - rounder) / power == number
    else { return nil }
    return nearestUnits(to: number, power: power)
  }

  /// A number in units of `1 / power`, rounded.
  /// - Precondition: `number * power` is below 2^51.
  @inline(__always)
  static func nearestUnits(to number: Double, power: Double) -> Int {
    Int(bitPattern: UInt((number * power + rounder).bitPattern &- rounder.bitPattern))
  }

  private func scaled(_ integer: Int, by places: Int) -> Int? {
    guard places > 0 else { return integer }
    let (product, overflow) = integer.multipliedReportingOverflow(by: Int(Self.powers[places]))
    return overflow ? nil : product
  }

  private mutating func addUnits(_ more: Int) -> Bool {
    let (sum, overflow) = units.addingReportingOverflow(more)
    if !overflow { units = sum }
    return !overflow
  }

  private mutating func addInexactly(_ number: Double) {
    if isExact {
      isExact = false
      double = Double(units) / Self.powers[places]
    }
    let scaled = number * scale
    let sum = double + scaled
    if sum.isFinite {
      lost +=
        double.magnitude >= scaled.magnitude ? (double - sum) + scaled : (scaled - sum) + double
    } else {
      if scale == 1, double.isFinite, number.isFinite {
        (double, lost, scale) = (double * Self.smallScale, lost * Self.smallScale, Self.smallScale)
        return addInexactly(number)
      }
      lost = 0
    }
    double = sum
  }

  private var approximate: Double {
    isExact ? Double(units) / Self.powers[places] : (double + lost) / scale
  }

  /// Whether the sum, or one of the numbers, is finite but too large for a double.
  var isTooLarge: Bool { didOverflow || !approximate.isFinite && double.isFinite }

  /// An integer if the sum is whole; null if it is too large for a double. NaN or an infinity among
  /// the numbers makes the sum NaN or infinite.
  var value: Value {
    guard isExact else { return value(of: approximate) }
    let (units, places) = fewestPlaces
    if places == 0 { return .integer(units) }
    let digits = String(units.magnitude)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    let text = (units < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
    return Value(literal: text)
  }

  /// The sum divided by `count`; 0 for a count of 0. Null if one of the numbers is too large for a
  /// double.
  func divided(by count: Int) -> Value {
    guard count > 0 else { return 0 }
    if isExact {
      let (units, places) = fewestPlaces
      if places == 0, units.isMultiple(of: count) { return .integer(units / count) }
      return value(of: Double(units) / Self.powers[places] / Double(count))
    }
    if scale == 1 { return value(of: approximate / Double(count)) }
    return value(of: (double + lost) / Double(count) / scale)
  }

  /// An exact sum without zeros at its end, so that a result does not depend on how the sum was made.
  private var fewestPlaces: (units: Int, places: Int) {
    var (units, places) = (units, places)
    while places > 0, units.isMultiple(of: 10) {
      units /= 10
      places -= 1
    }
    return (units, places)
  }

  /// The value of a double, or NaN or an infinity; null if a finite number was too large for it.
  private func value(of result: Double) -> Value {
    if didOverflow || !result.isFinite && double.isFinite { return .null }
    return result.isFinite ? Self.value(of: result) : .real(Real(result))
  }

  /// An integer if the double is whole; null if it is not finite.
  static func value(of double: Double) -> Value {
    guard double.isFinite else { return .null }
    // Beyond 2^53 a double represents several integers.
    if double.magnitude < 0x1p53, let integer = Int(exactly: double) { return .integer(integer) }
    return .real(Real(double))
  }
}
