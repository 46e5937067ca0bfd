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
