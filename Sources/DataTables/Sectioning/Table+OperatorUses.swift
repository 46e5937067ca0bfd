extension Table {
  /// The collection operators in a path that begins with a key, with the values that they reduce in
  /// all rows.
  ///
  /// - Complexity: O(distinct values) after reading the column of the first key.
  package func operatorUses(
    in path: ObjectKeyPath, cancellation: Cancellation
  ) throws -> [OperatorUse] {
    guard let first = path.steps.first,
      case .coded(_, let values) = try column(
        ObjectKeyPath([first]), cancellation: cancellation),
      !values.areStrings
    else { return [] }
    let rest = ObjectKeyPath(Array(path.steps.dropFirst()))
    var uses: [OperatorUse] = []
    for (index, value) in values.enumerated() {
      if index & 0xFFF == 0 { try cancellation.check() }
      for use in rest.operatorFindings(on: value) { use.merge(into: &uses) }
    }
    return uses
  }
}
