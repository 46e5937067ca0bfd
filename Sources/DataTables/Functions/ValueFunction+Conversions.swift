// Conversions between types.
extension ValueFunction {
  static let conversions: [ValueFunction] = [
    ValueFunction(
      name: "castObject:toType:",
      summary: "a as 'NSNumber', 'NSString' or 'NSDate'; also CAST(a, 'NSNumber')",
      arity: .exactly(2),
      body: .values { values throws(ComputationError) in
        guard case .string(let type) = values[1] else { throw .notString(values[1]) }
        return try cast(values[0], to: type)
      })
  ]

  /// The names of types that a value can be converted to.
  public static let typesOfCasts = ["NSNumber", "NSDecimalNumber", "NSString", "NSDate"]

  /// Seconds between 1970 and 2001, from which Cocoa counts the seconds of a date.
  private static let referenceDate = 978_307_200

  private static func cast(_ value: Value, to type: String) throws(ComputationError) -> Value {
    switch type {
    case "NSNumber", "NSDecimalNumber": try number(value)
    case "NSString": string(value)
    case "NSDate": try date(value)
    default: throw .unknownType(type)
    }
  }

  private static func number(_ value: Value) throws(ComputationError) -> Value {
    switch value {
    case .integer, .real: return value
    case .bool(let bool): return bool ? 1 : 0
    case .string(let text):
      guard let number = text.numeral else { throw .notConvertible(value, to: "a number") }
      return number
    case .date(let date):
      let seconds = Value.integer(date.secondsFromGMT - referenceDate)
      if date.nanoseconds == 0 { return seconds }
      let fraction = try ArithmeticOperator.divide.apply(
        .integer(date.nanoseconds), 1_000_000_000)
      return try ArithmeticOperator.add.apply(seconds, fraction)
    default: throw .notConvertible(value, to: "a number")
    }
  }

  private static func string(_ value: Value) -> Value {
    switch value {
    case .string: value
    case .date(let date): .string(date.text)
    case .real(let real): .string(real.text)
    default: .string(value.json)
    }
  }

  private static func date(_ value: Value) throws(ComputationError) -> Value {
    switch value {
    case .date: return value
    case .string(let text):
      guard let date = Timestamp(iso: text) else { throw .notConvertible(value, to: "a date") }
      return .date(date)
    case .integer, .real:
      guard let double = value.double,
        Timestamp.years.contains(double + Double(referenceDate))
      else { throw .notConvertible(value, to: "a date") }
      let whole = double.rounded(.down)
      let nanoseconds = min(999_999_999, Int(((double - whole) * 1e9).rounded()))
      return .date(
        Timestamp(secondsFromGMT: Int(whole) + referenceDate, nanoseconds: nanoseconds))
    default: throw .notConvertible(value, to: "a date")
    }
  }
}

extension Timestamp {
  /// The seconds since 1970 that have a date of four digits for the year.
  fileprivate static let years = -62_167_219_200.0...253_402_300_799.0

  /// A time in GMT, with its text in ISO form.
  ///
  /// - Parameters:
  ///   - secondsFromGMT: in the years 0 to 9999.
  ///   - nanoseconds: 0..<1_000_000_000.
  package init(secondsFromGMT: Int, nanoseconds: Int) {
    let moment = Moment(
      seconds: secondsFromGMT, nanoseconds: nanoseconds, offset: 0, hasTime: true)
    self.init(moment, text: moment.isoText)
  }
}
