import DataTables

extension Arrangement {
  /// What the predicate says of an object: `age >= 18 is false for it; age is 7`; nil without one.
  /// - Throws: `TableError`, `badArgument` for a part that is neither true nor false.
  func verdict(on object: Value) throws -> (holds: Bool, text: String)? {
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
