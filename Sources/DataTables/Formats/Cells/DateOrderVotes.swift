/// Finds the order of day, month and year of a column whose cells are requested to be dates, some of
/// which may not be.
struct DateOrderVotes: Sendable {
  /// The number of dates for each set of orders that fit.
  private var counts = SIMD8<Int>()

  /// Whether there are dates in ISO form, and dates with dots, which are read in each order.
  private var hasISODates = false, hasDottedDates = false

  mutating func add(_ cell: UnsafeRawBufferPointer) {
    guard let date = WrittenDate(cell) else { return }
    let orders = date.orders
    if date.isDotted {
      if !orders.isEmpty { hasDottedDates = true }
    } else if orders == .yearMonthDay, Scalar.moment(cell) != nil {
      hasISODates = true
    } else {
      add(orders)
    }
  }

  /// Adds a date that fits some orders.
  mutating func add(_ orders: WrittenDate.Orders) { counts[Int(orders.rawValue)] += 1 }

  mutating func add(_ other: DateOrderVotes) {
    counts &+= other.counts
    if other.hasISODates { hasISODates = true }
    if other.hasDottedDates { hasDottedDates = true }
  }

  /// The order that fits the most dates; nil if two fit equally many.
  var order: WrittenDate.Order? {
    let leading = leading
    guard leading.isEmpty else { return leading.count == 1 ? leading[0] : nil }
    return hasISODates ? .yearMonthDay : hasDottedDates ? .dayMonthYear : nil
  }

  /// The orders that fit the most dates; empty if none fits any.
  var leading: [WrittenDate.Order] {
    WrittenDate.Order.allCases.filter { most > 0 && count(of: $0) == most }
  }

  /// The number of dates that the leading orders fit.
  var most: Int { WrittenDate.Order.allCases.map(count(of:)).max() ?? 0 }

  /// The number of dates that an order fits.
  private func count(of order: WrittenDate.Order) -> Int {
    counts.indices.reduce(0) { sum, index in
      let orders = WrittenDate.Orders(rawValue: UInt8(index))
      return orders.contains(WrittenDate.Orders(order)) ? sum + counts[index] : sum
    }
  }
}
