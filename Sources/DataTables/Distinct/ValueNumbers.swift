/// Values by equality, numbered in the order in which they first come.
struct ValueNumbers {
  private var numbers: [Value: UInt32] = [:]

  /// - Parameter capacity: how many different values are expected.
  init(capacity: Int = 0) { numbers.reserveCapacity(capacity) }

  var count: Int { numbers.count }

  /// The number of a value, which is new when no equal one was met before.
  mutating func number(of value: Value) -> UInt32 {
    let next = UInt32(truncatingIfNeeded: numbers.count)
    return Self.known(&numbers[value], else: next)
  }

  // In place, so that the value is hashed once.
  private static func known(_ number: inout UInt32?, else next: UInt32) -> UInt32 {
    if let number { return number }
    number = next
    return next
  }
}
