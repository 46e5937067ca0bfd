public import DataTables

extension SimpleSource {
  /// What the predicate says of the object; its order is that in which it came.
  public func explanation(
    of path: IndexPath, in snapshot: Snapshot
  ) async throws -> [ExplanationLine] {
    let object = try await snapshot.object(at: path)
    return try snapshot.arrangement?.verdict(on: object)
      .map { [ExplanationLine("where", $0.text)] } ?? []
  }

  /// Why none of the objects like one is shown, in a clause; nil when there are no such objects, or
  /// when the predicate does not hide the first.
  ///
  /// - Parameter value: a record stands for the objects that have its values.
  /// - Throws: ``SourceError``.
  public func absence(ofLike value: Value) throws -> String? {
    guard let arrangement = state.snapshot?.arrangement else { return nil }
    do {
      let whole = LocalStore(table: table, title: .string(name))
      var place: IndexPath?
      if case .record(let values) = value {
        place = try whole.indexPath(matching: values)
      } else {
        place = try whole.indexPath(of: value)
      }
      guard let place else { return nil }
      let object = try table.object(at: try whole.row(at: place))
      return try arrangement.verdict(on: object).flatMap { $0.holds ? nil : "where: \($0.text)" }
    } catch {
      throw SourceError(error)
    }
  }
}
