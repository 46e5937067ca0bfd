import DataTables

/// Compares an order of names by `localizedStandard` with building and sorting ICU keys alone, which
/// every order by keys must do.
func measureCollation(names count: Int) throws {
  let names = (0..<count).map(Names.name)
  let text = "name\n" + names.joined(separator: "\n") + "\n"
  let key = ObjectKeyPath(key: "name")
  let table = try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: "names.csv").table
  _ = try table.column(key, cancellation: Cancellation())

  var ratios: [Double] = []
  var orders: [Duration] = []
  var keys: [Duration] = []
  let clock = ContinuousClock()
  // Alternating, so that a noisy machine affects both.
  for _ in 0..<7 {
    let order = try clock.measure {
      _ = try table.sorted(
        .natural(count), by: [SortDescriptor(key, comparison: .localizedStandard)])
    }
    var built: Duration = .zero
    let alone = clock.measure { built = CollationKeys.sortNames(names) }
    print("  keys built in \(milliseconds(built)) of \(milliseconds(alone))")
    orders.append(order)
    keys.append(alone)
    ratios.append(order / alone)
  }
  report("sorted by localizedStandard", orders)
  report("ICU keys alone, built and sorted", keys)
  ratios.sort()
  print("ratio of the middle pair: \((ratios[ratios.count / 2] * 100).rounded() / 100)")
}
