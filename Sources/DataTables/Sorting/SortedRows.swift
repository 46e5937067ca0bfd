/// Rows in the order of a sort, and what the sort knows about where they stand.
public struct SortedRows: Sendable {
  public let order: RowOrder
  /// nil when nothing is known, which is always right.
  let leading: LeadingRuns?

  public init(_ order: RowOrder) { self.init(order, leading: nil) }

  init(_ order: RowOrder, leading: LeadingRuns?) {
    self.order = order
    self.leading = leading
  }
}

/// Where rows with one value of the key that a sort looked at first stand together, so that sections
/// by that key, or by one derived from it, need not look at every row.
struct LeadingRuns: Sendable {
  enum Runs: Sendable {
    /// The first positions of the runs, ascending; the rows of a run share the code of the key.
    case starts([Int])
    /// Every row has a text of its own, in ASCII; those that are not null stand in the order of their
    /// bytes, or against it.
    case texts(TextHeap)
  }
  let keyPath: ObjectKeyPath
  let runs: Runs

  init(_ keyPath: ObjectKeyPath, _ runs: Runs) {
    self.keyPath = keyPath
    self.runs = runs
  }

  /// Those of rows that were sorted as texts; nil where bytes do not tell the order.
  init?(_ texts: TextHeap, by descriptor: SortDescriptor) {
    guard descriptor.comparison == .compare, texts.blocks.allSatisfy(\.isASCII) else { return nil }
    self.init(descriptor.keyPath, .texts(texts))
  }

  /// The steps from the key that was sorted by to another; nil when it is not derived from it.
  func steps(to key: ObjectKeyPath) -> ArraySlice<ObjectKeyPath.Step>? {
    key.steps.starts(with: keyPath.steps) ? key.steps.dropFirst(keyPath.steps.count) : nil
  }
}
