/// The maximum number of levels of nested arrays and records: as many as `maxDepth:` allows and the
/// reader of the format supports.
package struct DepthLimit: Sendable {
  package let levels: Int
  private let supported: Int

  /// - Parameter supported: the number of levels that the reader supports.
  package init(_ limits: ReadLimits, supported: Int) {
    levels = max(0, min(limits.depth, supported))
    self.supported = supported
  }

  /// The limit of a reader that no label changes.
  package init(supported: Int) {
    levels = supported
    self.supported = supported
  }

  /// The error for a value that is nested deeper.
  /// - Parameter subject: `a value` or, in markup, `an element`.
  package func error(_ subject: String = "a value", at position: TextPosition?) -> TableError {
    .limit(
      "\(subject) is nested deeper than \(levels.counted("level"))",
      setting: levels < supported ? "\(ReadLimits.depthLabel): \(supported)" : "", at: position)
  }
}
