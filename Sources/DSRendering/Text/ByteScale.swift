import DataTables

/// The decimal unit that keeps a number of bytes short: `512 B`, `41 kB`, `2.1 GB`.
struct ByteScale {
  private let unit: String
  private let size: Int

  /// - Parameter count: the largest number that is shown in the unit.
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

  /// The number with as many decimals as `other`, padded to the width of `other`, so that a growing
  /// number does not move the text after it.
  func padded(_ count: Int, as other: Int) -> String {
    let text = number(count, as: other)
    let width = number(other, as: other).count
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// The number has one decimal if `other` is below ten in a unit larger than a byte. The decimal
  /// is truncated: rounding would report work that is not done.
  private func number(_ count: Int, as other: Int) -> String {
    let whole = count / size
    guard size > 1, other / size < 10 else { return String(whole) }
    return "\(whole).\(count % size / (size / 10))"
  }
}

extension Duration {
  /// The line of `timer on` after a command: `12.3 ms`.
  package var timeLine: String {
    let tenths = Int((self / .milliseconds(1) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) ms\n"
  }
}
