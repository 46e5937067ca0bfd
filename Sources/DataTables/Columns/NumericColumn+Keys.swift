extension NumericColumn {
  /// What stands for null.
  static let null = UInt64.max

  /// Ascending with the integer; nil for the greatest one, whose place null takes.
  static func key(_ integer: Int) -> UInt64? {
    integer == .max ? nil : UInt64(bitPattern: Int64(integer)) ^ (1 << 63)
  }

  /// Ascending with the number; 0 and -0 have one key.
  /// - Precondition: `double` is finite.
  static func key(_ double: Double) -> UInt64 {
    // Adding 0 makes -0 to 0.
    let bits = (double + 0).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  /// The integer, double, or ticks of a date (``Moment/ticks``) of a key that is not null's.
  static func integer(_ key: UInt64) -> Int { Int(Int64(bitPattern: key ^ (1 << 63))) }

  static func double(_ key: UInt64) -> Double {
    Double(bitPattern: key >> 63 == 1 ? key & ~(1 << 63) : ~key)
  }
}

extension NumericColumn {
  /// The key that rows with an equal value have; nil when none can have it.
  func key(of value: Value) -> UInt64? {
    switch (kind, value) {
    case (_, .null): Self.null
    case (.integer, .integer(let integer)): Self.key(integer)
    case (.integer, .real(let real)):
      Int(exactly: real.value).flatMap { .integer($0) == value ? Self.key($0) : nil }
    case (.real, .integer(let integer)): Self.key(Double(integer))
    case (.real, .real(let real)): real.value.isFinite ? Self.key(real.value) : nil
    case (.date, .date(let date)): date.moment.ticks.flatMap(Self.key)
    default: nil
    }
  }
}

extension Timestamp {
  var moment: Moment {
    Moment(seconds: seconds, nanoseconds: nanoseconds, offset: offset, hasTime: hasTime)
  }
}
