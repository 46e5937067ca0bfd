import DataTables

/// The decimal unit in which a number of bytes is short: `512 B`, `41 kB`, `2.1 GB`.
struct ByteScale {
  private let unit: String
  private let size: Int

  /// - Parameter count: the greatest number that is shown in the unit.
  init(for count: Int) {
    var size = 1
    var unit = "B"
    for larger in ["kB", "MB", "GB", "TB", "PB", "EB"] where count / 1_000 >= size {
      size *= 1_000
      unit = larger
    }
    self.size = size
    self.unit = unit
  }

  /// `190 MB`.
  func text(_ count: Int) -> String { number(count, as: count) + " " + unit }

  /// As many characters as `other` has, with a decimal where it has one, so that a number that grows
  /// towards it moves nothing.
  func padded(_ count: Int, as other: Int) -> String {
    let text = number(count, as: other)
    let width = number(other, as: other).count
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// Numbers below ten have a decimal, cut and not rounded: nothing is done before it is.
  private func number(_ count: Int, as other: Int) -> String {
    let whole = count / size
    guard size > 1, other / size < 10 else { return String(whole) }
    return "\(whole).\(count % size / (size / 10))"
  }
}
