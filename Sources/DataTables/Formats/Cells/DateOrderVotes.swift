/// Finds the order of day, month and year of a column whose cells are requested to be dates, some of
/// which may not be.
struct DateOrderVotes: Sendable {
  /// The number of dates for each set of orders that fit.
  private var counts = [Int](repeating: 0, count: 8)

  mutating func add(_ cell: UnsafeRawBufferPointer) {
    guard let date = WrittenDate(cell) else { return }
    counts[Int(date.orders.rawValue)] += 1
  }

  mutating func add(_ other: DateOrderVotes) {
    for index in counts.indices { counts[index] += other.counts[index] }
  }

  /// The order that fits the most dates; nil if two fit equally many.
  var order: WrittenDate.Order? {
    let fits = WrittenDate.Order.allCases.map { order in
      counts.indices.reduce(0) { sum, index in
        let orders = WrittenDate.Orders(rawValue: UInt8(index))
        return orders.contains(WrittenDate.Orders(order)) ? sum + counts[index] : sum
      }
    }
    guard let most = fits.max(), most > 0, fits.count(where: { $0 == most }) == 1 else {
      return nil
    }
    return zip(WrittenDate.Order.allCases, fits).first { $0.1 == most }?.0
  }
}
