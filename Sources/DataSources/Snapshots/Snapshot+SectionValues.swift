public import DataTables

extension Snapshot {
  /// For every section what a collection operator makes of its objects: `@count`, `@sum.price`.
  ///
  /// - Complexity: O(objects), from columns where the content is at hand.
  /// - Throws: ``SourceError``: `badArgument` for a path that does not begin with an operator,
  ///   `unknownKey` for a key that no object has.
  public func sectionValues(
    of path: ObjectKeyPath, cancellation: Cancellation = Cancellation()
  ) async throws(SourceError) -> [Value] {
    guard case .collection(let kind)? = path.steps.first else {
      throw .data(.badArgument("`\(path)` does not begin with an operator such as @count or @sum"))
    }
    do {
      if let local = store.local {
        return try local.table.values(
          of: kind, Array(path.steps.dropFirst()), in: local.order, sections: local.sections,
          cancellation: cancellation)
      }
      var values: [Value] = []
      for section in 0..<numberOfSections {
        try cancellation.check()
        values.append(path.evaluate(on: .array(try await objects(in: section))))
      }
      return values
    } catch {
      throw SourceError(error)
    }
  }
}
