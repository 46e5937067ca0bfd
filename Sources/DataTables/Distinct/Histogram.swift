/// The numbers of rows whose values are in adjacent ranges of equal size.
package struct Histogram: Sendable {
  package struct Range: Sendable {
    /// `10..<20`, or the only value of the range: `2019-06`; `≥ 1e+308` where no number is greater.
    package let label: String
    package fileprivate(set) var rows: Int
  }

  /// Ascending; all that are between the least and the greatest value, also those without rows.
  package private(set) var ranges: [Range]
  /// The rows that are null.
  package let nulls: Int
  /// The rows with other values, such as strings among numbers, or NaN.
  package let others: Int

  /// Counts the numbers or dates of a column in some rows.
  ///
  /// The bounds are round: multiples of 1, 2 or 5 and a power of ten, or units of the calendar in GMT.
  ///
  /// - Parameter limit: the greatest number of ranges, at least 4.
  /// Numbers too close for different bounds have a range for each value.
  ///
  /// - Returns: nil if the column has both numbers and dates, or more other values than these.
  /// - Complexity: O(rows + ranges).
  package init?(
    of column: KeyColumn, in order: RowOrder, limit: Int, cancellation: Cancellation
  ) throws {
    let values = try Values(of: column, in: order, cancellation)
    let numbers = values.integers.map { (Double($0.value), $0.rows) } + values.reals
    if values.seconds.isEmpty, values.reals.isEmpty,
      let scale = WholeScale(values.integers.map(\.value), limit: limit)
    {
      ranges = scale.ranges
      for integer in values.integers { ranges[scale.index(of: integer.value)].rows += integer.rows }
    } else if values.seconds.isEmpty, let scale = SingleScale(numbers.map(\.0), limit: limit) {
      ranges = scale.ranges
      for (number, rows) in numbers { ranges[scale.index(of: number)].rows += rows }
    } else if values.seconds.isEmpty, let scale = RealScale(numbers.map(\.0), limit: limit) {
      ranges = scale.ranges
      for (number, rows) in numbers { ranges[scale.index(of: number)].rows += rows }
    } else if numbers.isEmpty, let scale = CalendarScale(values.seconds.map(\.value), limit: limit)
    {
      ranges = scale.ranges
      for second in values.seconds { ranges[scale.index(of: second.value)].rows += second.rows }
    } else {
      return nil
    }
    nulls = values.nulls
    others = values.others
    guard ranges.reduce(0, { $0 + $1.rows }) >= others else { return nil }
  }
}

/// The values of a column in some rows, each with the number of its rows.
private struct Values {
  private(set) var integers: [(value: Int, rows: Int)] = []
  private(set) var reals: [(value: Double, rows: Int)] = []
  /// Seconds since 1970 in GMT.
  private(set) var seconds: [(value: Int, rows: Int)] = []
  private(set) var nulls = 0
  private(set) var others = 0

  init(of column: KeyColumn, in order: RowOrder, _ cancellation: Cancellation) throws {
    let order = order.withList
    switch column {
    case .coded(let codes, let values):
      if values.areStrings { return }
      var rows = [Int](repeating: 0, count: values.count)
      for position in 0..<order.count { rows[codes[order[position]]] += 1 }
      for (code, rows) in rows.enumerated() where rows > 0 { add(values[code], rows) }
    case .keyed(let column):
      for position in 0..<order.count {
        if position % Self.batch == 0 { try cancellation.check() }
        let key = column.keys[order[position]]
        // The texts of dates are not needed.
        if column.kind == .date, key != NumericColumn.null {
          seconds.append((Gregorian.floorDivide(NumericColumn.integer(key), 10_000_000), 1))
        } else {
          add(column.value(of: key), 1)
        }
      }
    }
  }

  /// Rows between two checks for a cancellation.
  private static let batch = 1 << 16

  private mutating func add(_ value: Value, _ rows: Int) {
    switch value {
    case .null: nulls += rows
    case .date(let date): seconds.append((date.secondsFromGMT, rows))
    case .integer(let integer): integers.append((integer, rows))
    case .real(let real) where real.value.isFinite: reals.append((real.value, rows))
    default: others += rows
    }
  }
}

/// Ranges of integers.
private struct WholeScale {
  private let step: Int
  /// The first range, in steps.
  private let first: Int
  private let count: Int

  /// nil for no integers.
  init?(_ integers: [Int], limit: Int) {
    guard let least = integers.min(), let greatest = integers.max() else { return nil }
    var step = 1
    var factors = [2, 5, 10]
    var power = 1
    while true {
      let first = Gregorian.floorDivide(least, step)
      let (distance, isTooLarge) = Gregorian.floorDivide(greatest, step)
        .subtractingReportingOverflow(first)
      let next = power.multipliedReportingOverflow(by: factors[0])
      // The largest step makes four ranges of all integers.
      if !isTooLarge, distance < limit || next.overflow {
        self.step = step
        self.first = first
        count = distance + 1
        return
      }
      step = next.partialValue
      if factors.removeFirst() == 10 {
        power = step
        factors = [2, 5, 10]
      }
    }
  }

  func index(of integer: Int) -> Int { Gregorian.floorDivide(integer, step) - first }

  var ranges: [Histogram.Range] {
    (first..<first + count).map { place in
      // The bounds of the outer ranges may be no 64-bit integers.
      let start = Int128(place) * Int128(step)
      let label = step == 1 ? "\(start)" : "\(start)..<\(start + Int128(step))"
      return Histogram.Range(label: label, rows: 0)
    }
  }
}

/// Ranges of numbers with fractions.
private struct RealScale {
  /// The size of a range is `factor` · 10^`exponent`.
  private let factor: Double
  private let exponent: Int
  /// 10 to the absolute value of `exponent`.
  private let power: Double
  /// The multiple of the size with which the first range begins.
  private var first = 0.0
  private var count = 1

  /// nil for no numbers.
  init?(_ numbers: [Double], limit: Int) {
    guard let least = numbers.min(), let greatest = numbers.max() else { return nil }
    let resolution = max(least.magnitude, greatest.magnitude).ulp
    // The difference may be infinite.
    let size = greatest / Double(limit) - least / Double(limit)
    // At most the right size; a few steps of 1, 2, 5, 10, 20, … find it.
    var exponent =
      size > 0 ? max(-300, Int((Double(size.exponent) * 0.301_03).rounded(.down)) - 1) : 0
    var factor = 1.0
    while true {
      let scale = RealScale(factor, exponent, from: least, to: greatest)
      if scale.count <= limit && !scale.isFiner(than: resolution) || exponent > 307 {
        self = scale
        return
      }
      (factor, exponent) =
        factor == 1 ? (2, exponent) : factor == 2 ? (5, exponent) : (1, exponent + 1)
    }
  }

  /// Whether bounds next to each other may be the same number.
  private func isFiner(than resolution: Double) -> Bool { bound(1) < 2 * resolution }

  private init(_ factor: Double, _ exponent: Int, from least: Double, to greatest: Double) {
    self.factor = factor
    self.exponent = exponent
    power = Double("1e\(abs(exponent))") ?? .infinity
    first = place(of: least)
    count = Int(clamping: place(of: greatest) - first + 1)
  }

  /// A multiple of the size, rounded once, as it is shown. A multiplication by 0.1 would round twice.
  private func bound(_ multiple: Double) -> Double {
    let digits = multiple * factor
    // Greater powers of ten are rounded themselves.
    if abs(exponent) > 22, let whole = Int(exactly: digits) {
      return Double("\(whole)e\(exponent)") ?? digits * power
    }
    return exponent < 0 ? digits / power : digits * power
  }

  /// The range of a number, by the bounds that are shown.
  private func place(of number: Double) -> Double {
    let place = (exponent < 0 ? number * power / factor : number / power / factor).rounded(.down)
    // The product can overflow, and the quotient can round to a bound.
    guard place.isFinite else { return (number / factor * power).rounded(.down) }
    if number < bound(place) { return place - 1 }
    return number >= bound(place + 1) ? place + 1 : place
  }

  func index(of number: Double) -> Int {
    min(max(0, Int(clamping: place(of: number) - first)), count - 1)
  }

  var ranges: [Histogram.Range] {
    (0..<count).map { index in
      let start = bound(first + Double(index))
      let end = bound(first + Double(index) + 1)
      let label =
        if end.isInfinite { "≥ \(start.boundText)" } else if start.isInfinite {
          "< \(end.boundText)"
        } else { "\(start.boundText)..<\(end.boundText)" }
      return Histogram.Range(label: label, rows: 0)
    }
  }
}

/// A range for each number, for numbers that are too close for other ranges.
private struct SingleScale {
  /// Ascending.
  private let numbers: [Double]

  /// nil if the numbers are further apart, or more than the limit.
  init?(_ numbers: [Double], limit: Int) {
    guard let least = numbers.min(), let greatest = numbers.max(), least < greatest else {
      return nil
    }
    let resolution = max(least.magnitude, greatest.magnitude).ulp
    guard greatest - least < 2 * resolution * Double(limit) else { return nil }
    let different = Set(numbers)
    guard different.count <= limit else { return nil }
    self.numbers = different.sorted()
  }

  func index(of number: Double) -> Int { numbers.firstIndex(of: number) ?? 0 }

  var ranges: [Histogram.Range] {
    numbers.map { Histogram.Range(label: $0.boundText, rows: 0) }
  }
}

extension Double {
  private static let mostDigits = 24

  /// The number as JSON writes it, without a sign of zero; with an exponent if it would be long.
  fileprivate var boundText: String {
    let text = DecimalSum.value(of: self == 0 ? 0 : self).json
    return text.utf8.count > Self.mostDigits ? String(describing: self) : text
  }
}

extension Int {
  fileprivate init(clamping number: Double) {
    self = Int(exactly: number) ?? (number < 0 ? .min : .max)
  }
}

/// Ranges of times.
private struct CalendarScale {
  private enum Unit: CaseIterable {
    case second, minute, hour, day, month, year

    /// Steps that divide the next unit evenly; years have all steps of 1, 2 and 5.
    var steps: [Int] {
      switch self {
      case .second, .minute: [1, 5, 15, 30]
      case .hour: [1, 3, 6, 12]
      case .day: [1, 7]
      case .month: [1, 3]
      case .year: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]
      }
    }

    /// The number of units from the year 0 or from 1970 to a time.
    func ordinal(_ seconds: Int) -> Int {
      let date = Gregorian.date(fromDays: Gregorian.floorDivide(seconds, 86_400))
      return switch self {
      case .second: seconds
      case .minute: Gregorian.floorDivide(seconds, 60)
      case .hour: Gregorian.floorDivide(seconds, 3_600)
      case .day: Gregorian.floorDivide(seconds, 86_400)
      case .month: date.year * 12 + date.month - 1
      case .year: date.year
      }
    }

    func text(_ ordinal: Int) -> String {
      let seconds =
        switch self {
        case .second: ordinal
        case .minute: ordinal * 60
        case .hour: ordinal * 3_600
        case .day: ordinal * 86_400
        case .month:
          Gregorian.days(
            fromYear: Gregorian.floorDivide(ordinal, 12),
            month: ordinal - Gregorian.floorDivide(ordinal, 12) * 12 + 1, day: 1) * 86_400
        case .year: Gregorian.days(fromYear: ordinal, month: 1, day: 1) * 86_400
        }
      let text = Moment(seconds: seconds, nanoseconds: 0, offset: nil, hasTime: true).isoText
      return switch self {
      case .second: text
      case .minute, .hour: String(text.dropLast(3))
      case .day: String(text.dropLast(9))
      case .month: String(text.dropLast(12))
      case .year: String(text.dropLast(15))
      }
    }
  }

  private let unit: Unit
  private let step: Int
  /// The first range, in steps.
  private let first: Int
  private let count: Int

  /// nil for no times.
  /// - Parameter seconds: since 1970 in GMT.
  init?(_ seconds: [Int], limit: Int) {
    guard let least = seconds.min(), let greatest = seconds.max() else { return nil }
    // Dates without times need no ranges that are shorter than a day.
    let hasTimes = !seconds.allSatisfy { $0 % 86_400 == 0 }
    var found = (unit: Unit.year, step: 10_000)
    search: for unit in hasTimes ? Unit.allCases : [.day, .month, .year] {
      for step in unit.steps
      where Self.place(greatest, unit, step) - Self.place(least, unit, step) < limit {
        found = (unit, step)
        break search
      }
    }
    (unit, step) = found
    first = Self.place(least, unit, step)
    count = Self.place(greatest, unit, step) - first + 1
  }

  private static func place(_ seconds: Int, _ unit: Unit, _ step: Int) -> Int {
    Gregorian.floorDivide(unit.ordinal(seconds) + offset(unit, step), step)
  }

  /// Weeks begin on Monday; 1970 began on a Thursday.
  private static func offset(_ unit: Unit, _ step: Int) -> Int { unit == .day && step == 7 ? 3 : 0 }

  func index(of seconds: Int) -> Int { Self.place(seconds, unit, step) - first }

  var ranges: [Histogram.Range] {
    let offset = Self.offset(unit, step)
    return (first..<first + count).map { place in
      let start = unit.text(place * step - offset)
      if step == 1 { return Histogram.Range(label: start, rows: 0) }
      let end = unit.text((place + 1) * step - offset)
      // A time of the same day needs no date.
      let day = start.prefix { $0 != "T" }
      let isSameDay = day.count < start.count && end.hasPrefix(day + "T")
      let label = start + "..<" + (isSameDay ? String(end.dropFirst(day.count + 1)) : end)
      return Histogram.Range(label: label, rows: 0)
    }
  }
}
