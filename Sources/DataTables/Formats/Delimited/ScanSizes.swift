/// How much of a text is looked at in one go, in bytes.
struct ScanSizes: Sendable {
  /// Whole texts up to this size are looked at for the types of their columns; of larger ones a
  /// sample is, and a column is settled when it is touched.
  var exact = 1 << 20
  var sample = 256 << 10
  /// What one worker takes.
  var stretch = 4 << 20
  /// What is in memory at a time; it should fit the second-level cache.
  var window = 256 << 10
}

extension ScanSizes {
  /// Those for a text of some bytes, of which every worker should have several stretches: it has
  /// nothing to do while the others are at their last.
  init(forTextOf bytes: Int) {
    stretch = min(stretch, max(stretch / 4, bytes / (Parallel.workers * 4)))
  }
}
