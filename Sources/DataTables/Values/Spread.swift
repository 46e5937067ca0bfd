/// The standard deviation of numbers that are added one at a time (Welford 1962), which does not
/// lose digits when the numbers are large and close to each other.
struct Spread {
  private var count = 0
  private var mean = 0.0
  /// The sum of the squared distances from the mean.
  private var squares = 0.0

  mutating func add(_ number: Double) {
    count += 1
    let distance = number - mean
    mean += distance / Double(count)
    squares += distance * (number - mean)
  }

  /// The standard deviation of a sample, with n - 1 in the denominator, as SQL's `stddev`, R's `sd`
  /// and spreadsheets compute it; null for fewer than two numbers, and for infinite ones.
  var standardDeviation: Value {
    guard count > 1 else { return .null }
    return DecimalSum.value(of: (squares / Double(count - 1)).squareRoot())
  }
}
