extension Scalar {
  /// The time of an ISO 8601 date: `2012-11-01`, optionally followed by `T` or a space and a time
  /// (`10:30`, `10:30:59` or `10:30:59.123456789`; a comma may stand for the dot). A zone (`Z`,
  /// `+01:00`, `+0100` or `+01`) may follow the time.
  ///
  /// nil for other forms, days that do not exist, hour 24, leap seconds and fractions of more than
  /// nine digits.
  public static func moment(_ bytes: UnsafeRawBufferPointer) -> Moment? {
    guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else {
      return nil
    }
    var scan = DateScan(bytes: bytes, index: 0)
    guard let century = scan.twoDigits(below: 100), let yearOfCentury = scan.twoDigits(below: 100),
      scan.take("-"), let month = scan.twoDigits(below: 13), month > 0,
      scan.take("-"), let day = scan.twoDigits(below: 32), day > 0
    else { return nil }
    let year = century * 100 + yearOfCentury
    guard day <= Gregorian.days(inMonth: month, of: year) else { return nil }
    let midnight = Gregorian.days(fromYear: year, month: month, day: day) * 86_400
    var moment = Moment(seconds: midnight, nanoseconds: 0, offset: nil, hasTime: false)
    if scan.isAtEnd { return moment }
    guard scan.take("T") || scan.take(" ") else { return nil }
    return scan.takeTime(&moment) && scan.takeZone(&moment) && scan.isAtEnd ? moment : nil
  }
}

/// Takes the parts of a date one by one.
struct DateScan {
  let bytes: UnsafeRawBufferPointer
  var index: Int

  var isAtEnd: Bool { index == bytes.count }

  /// - Precondition: the scalar is ASCII.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool { take(byte: UInt8(ascii: scalar)) }

  mutating func take(byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  mutating func digit() -> Int? {
    guard index < bytes.count else { return nil }
    let digit = bytes[index] &- UInt8(ascii: "0")
    guard digit < 10 else { return nil }
    index += 1
    return Int(digit)
  }

  // Inlined, because a date has up to nine of these numbers.
  @inline(__always)
  mutating func twoDigits(below bound: Int) -> Int? {
    guard index &+ 2 <= bytes.count else { return nil }
    let tens = bytes[index] &- UInt8(ascii: "0")
    let ones = bytes[index &+ 1] &- UInt8(ascii: "0")
    guard tens < 10, ones < 10 else { return nil }
    let number = Int(tens) &* 10 &+ Int(ones)
    guard number < bound else { return nil }
    index &+= 2
    return number
  }

  /// Skips spaces and tabs; false if there are none.
  @discardableResult
  mutating func skipBlanks() -> Bool {
    let start = index
    while index < bytes.count, bytes[index].isBlank { index += 1 }
    return index > start
  }

  mutating func takeTime(_ moment: inout Moment) -> Bool {
    guard let hour = twoDigits(below: 24), take(":") else { return false }
    moment.seconds += hour * 3600
    return takeMinutes(&moment)
  }

  /// The part of a time after the hour: `30`, `30:59` or `30:59.123456789`.
  @inline(__always)
  mutating func takeMinutes(_ moment: inout Moment) -> Bool {
    guard let minute = twoDigits(below: 60) else { return false }
    moment.seconds += minute * 60
    moment.hasTime = true
    guard take(":") else { return true }
    guard let second = twoDigits(below: 60) else { return false }
    moment.seconds += second
    guard take(".") || take(",") else { return true }
    var unit = 1_000_000_000
    while unit > 1, let digit = digit() {
      unit /= 10
      moment.nanoseconds += digit * unit
    }
    return unit < 1_000_000_000
  }

  mutating func takeZone(_ moment: inout Moment) -> Bool {
    if isAtEnd { return true }
    if take("Z") {
      moment.offset = 0
      return true
    }
    let isEast = take("+")
    guard isEast || take("-"), let hours = twoDigits(below: 24) else { return false }
    var minutes = 0
    if !isAtEnd {
      _ = take(":")
      guard let written = twoDigits(below: 60) else { return false }
      minutes = written
    }
    moment.offset = (isEast ? 1 : -1) * (hours * 3600 + minutes * 60)
    return true
  }
}
