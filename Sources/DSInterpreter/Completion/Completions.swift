/// The words that may replace what stands between `start` and the cursor.
public struct Completions: Sendable {
  /// A UTF-8 offset into the line.
  public var start: Int
  public var candidates: [String]
  public init(start: Int, candidates: [String]) {
    self.start = start
    self.candidates = candidates
  }
}
