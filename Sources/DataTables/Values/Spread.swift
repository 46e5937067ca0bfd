/// The standard deviation of numbers that are added one at a time (Welford 1962), which does not
/// lose digits when the numbers are large and close to each other.
struct Spread {
  private var count = 0
  /// The mean times the scale.
  private var mean = 0.0
  /// The sum of the squared distances from the mean, times the square of the scale.
  private var squares = 0.0
  /// 1 as long as the squares fit a double, then so small that they always fit.
  private var scale = 1.0

  /// A distance has at most 1025 bits; its square fits, and the sum of up to 2^64 of them.
  private static let smallScale = 0x1p-560

  mutating func add(_ number: Double) {
    count += 1
    let distance = number * scale - mean
    let newMean = mean + distance / Double(count)
    let newSquares = squares + distance * (number * scale - newMean)
    guard newSquares.isFinite || !number.isFinite || scale < 1 else {
      count -= 1
      scale = Self.smallScale
      mean *= scale
      squares *= scale * scale
      return add(number)
    }
    (mean, squares) = (newMean, newSquares)
  }

  /// The standard deviation of a sample, with n - 1 in the denominator, as SQL's `stddev`, R's `sd`
  /// and spreadsheets compute it; null for fewer than two numbers, for infinite ones, and if it is
  /// too large for a double.
  var standardDeviation: Value {
    guard count > 1 else { return .null }
    return DecimalSum.value(of: (squares / Double(count - 1)).squareRoot() / scale)
  }
}
