import DataTables

// Records with other values.
extension Value {
  /// The record with other values under some key paths.
  /// - Throws: ``SourceError``, `badArgument` for a value that is not a record, and for a path that
  ///   leads through anything but records.
  func updating(_ values: [KeyValue]) throws(SourceError) -> Value {
    guard case .record = self else {
      throw .data(.badArgument("the object is not a record, so it has no keys"))
    }
    var object = self
    for value in values {
      guard let changed = object.replacing(value.path.steps[...], with: value.value) else {
        throw .data(.badArgument(object.reasonAgainstReplacing(value.path)))
      }
      object = changed
    }
    return object
  }

  /// The value with values for the key paths that have none.
  /// - Throws: ``SourceError``, `badArgument` for a computed value.
  func settingMissing(_ values: [KeyValue]) throws(SourceError) -> Value {
    let missing = values.filter { $0.path.evaluate(on: self).isNull }
    if missing.isEmpty { return self }
    do {
      return try updating(missing)
    } catch {
      // It has the value already.
      if missing.allSatisfy(\.value.isNull) { return self }
      let list = missing.map { "`\($0.path)`: \($0.value.excerpt)" }.joined(separator: ", ")
      throw .data(.badArgument("an object of this section needs \(list), which this one lacks"))
    }
  }

  /// Why ``replacing(_:with:)`` returns nil.
  private func reasonAgainstReplacing(_ path: ObjectKeyPath) -> String {
    for count in 1..<max(path.steps.count, 1) {
      let parent = ObjectKeyPath(Array(path.steps.prefix(count)))
      let value = parent.evaluate(on: self)
      if case .array = value {
        return "`\(parent)` is an array, whose elements cannot be changed one by one; "
          + "give all of them: `\(parent): […]`"
      }
    }
    return "`\(path)` is computed and cannot be changed"
  }

  /// The value with another value at a path of keys of records. Missing records are made; nil if the
  /// path leads through anything else, such as a derived key.
  func replacing(_ steps: ArraySlice<ObjectKeyPath.Step>, with value: Value) -> Value? {
    guard let step = steps.first else { return value }
    guard case .key(let key) = step else { return nil }
    switch self {
    case .record(let record):
      guard let new = (record[key] ?? .null).replacing(steps.dropFirst(), with: value) else {
        return nil
      }
      return .record(record.replacing(key, with: new))
    case .null where !ObjectKeyPath([step]).isDerived:
      return Value.null.replacing(steps.dropFirst(), with: value).map {
        .record(Record([(key, $0)]))
      }
    default: return nil
    }
  }
}
