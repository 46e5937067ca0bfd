public import DataTables

/// The predicate, key and sort that determined the rows of a snapshot and their order.
public struct Arrangement: Sendable {
  /// The key that determined the sections; nil without one.
  public let key: ObjectKeyPath?
  /// The sort descriptors, the most significant first.
  public let sort: [SortDescriptor]
  /// nil if all rows were kept.
  public var predicate: Predicate?
  /// The maximum number of rows kept after the sort; nil for all.
  public let limit: Int?
  /// Whether the order of the sections is independent of the sort. The sort then only explains the
  /// order of the rows within each section.
  public let ordersSections: Bool

  public init(
    key: ObjectKeyPath? = nil, sort: [SortDescriptor] = [], predicate: Predicate? = nil,
    limit: Int? = nil, ordersSections: Bool = false
  ) {
    self.key = key
    self.sort = sort
    self.predicate = predicate
    self.limit = limit
    self.ordersSections = ordersSections
  }

  /// Evaluates the predicate on an object, with an explanation such as
  /// `age >= 18 is false for it; age is 7`; nil without a predicate.
  /// - Throws: `TableError`, `badArgument` for a part of the predicate that is neither true nor
  ///   false.
  func evaluatePredicate(on object: Value) throws -> (holds: Bool, explanation: String)? {
    guard let predicate else { return nil }
    let holds = try predicate.holds(on: object)
    var parts: [String] = []
    for path in predicate.keyPaths {
      let part = "\(path) is \(path.evaluate(on: object).excerpt)"
      if !parts.contains(part) { parts.append(part) }
    }
    let values = parts.isEmpty ? "" : "; " + parts.joined(separator: ", ")
    return (holds, "\(predicate) is \(holds) for it" + values)
  }
}
