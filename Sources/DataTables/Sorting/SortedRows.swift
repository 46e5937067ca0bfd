/// Rows in sorted order, and the runs of the first sort key if the sort knows them.
public struct SortedRows: Sendable {
  public let order: RowOrder
  /// nil if the runs are unknown. nil is always correct: sections are then found by reading every
  /// row.
  let leading: LeadingRuns?

  public init(_ order: RowOrder) { self.init(order, leading: nil) }

  init(_ order: RowOrder, leading: LeadingRuns?) {
    self.order = order
    self.leading = leading
  }
}

/// The runs of rows that share a value of the first sort key. Sections by that key, or by a key
/// derived from it, use them instead of reading every row.
struct LeadingRuns: Sendable {
  enum Runs: Sendable {
    /// The first positions of the runs, ascending; the rows of a run share the code of the key.
    case starts([Int])
    /// Every row has its own text, which is ASCII or null. The rows whose text is not null are in
    /// the order of the bytes, ascending or descending.
    case texts(TextHeap)
    /// The rows are in the order of their keys, ascending; rows without a key, if any, are last.
    case keys(NumericKeys)
  }
  let keyPath: ObjectKeyPath
  let runs: Runs

  init(_ keyPath: ObjectKeyPath, _ runs: Runs) {
    self.keyPath = keyPath
    self.runs = runs
  }

  /// The runs of rows that were sorted as texts; nil unless the sort orders the texts by their
  /// bytes.
  init?(_ texts: TextHeap, by descriptor: SortDescriptor) {
    guard descriptor.comparison == .compare, texts.blocks.allSatisfy(\.isASCII) else { return nil }
    self.init(descriptor.keyPath, .texts(texts))
  }

  /// The steps from the sort key to another key; nil if that key is not derived from it.
  func steps(to key: ObjectKeyPath) -> ArraySlice<ObjectKeyPath.Step>? {
    key.steps.starts(with: keyPath.steps) ? key.steps.dropFirst(keyPath.steps.count) : nil
  }
}
