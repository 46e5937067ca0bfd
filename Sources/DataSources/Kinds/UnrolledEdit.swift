import DataTables

/// Turns an edit of an element into an edit of the object that has the array.
struct UnrolledEdit {
  let table: UnrolledTable
  let parent: Value
  /// The index of the element.
  let element: Int

  /// - Parameter origin: the index path of the parent.
  /// - Throws: ``SourceError``, `badArgument` for an element that cannot be changed.
  func edit(_ edit: Edit, at origin: IndexPath) throws -> Edit {
    guard case .record(let record) = parent else {
      throw SourceError.data(
        .badArgument("the object below is not a record, so its elements cannot be edited"))
    }
    switch edit {
    case .insert: return edit
    case .remove:
      guard oldElements.indices.contains(element) else {
        throw SourceError.data(.badArgument("the object has no element to remove"))
      }
      return .update(origin, try changes(to: record, [], newValue(nil)))
    case .update(_, let values):
      var ofParent: [(String, Value)] = []
      var ofElement: [(String, Value)] = []
      var whole: Value?
      for (key, value) in zip(values.keys, values.values) {
        switch table.place(of: key) {
        case .parent: ofParent.append((key, value))
        case .element(let key): ofElement.append((key, value))
        case .wholeElement: whole = .some(value)
        case nil: throw SourceError.data(.unknownKey(key, known: table.keys))
        }
      }
      guard whole != nil || !ofElement.isEmpty else { return .update(origin, Record(ofParent)) }
      let new = try changedElement(whole, ofElement)
      return .update(origin, try changes(to: record, ofParent, newValue(new)))
    }
  }

  private var oldValue: Value { table.path.evaluate(on: parent) }
  private var oldElements: [Value] { oldValue.elements }

  private func changedElement(_ whole: Value?, _ values: [(String, Value)]) throws -> Value {
    let old: Value = oldElements.indices.contains(element) ? oldElements[element] : .null
    switch (old, whole) {
    case (_, let whole?) where values.isEmpty: return whole
    case (.record(let record), nil):
      return .record(Record(Array(zip(record.keys, record.values)) + values))
    case (.null, nil): return .record(Record(values))
    default:
      throw SourceError.data(.badArgument("the element is not a record, so it has no keys"))
    }
  }

  /// The value of the array with another element; without the element if `new` is nil.
  private func newValue(_ new: Value?) -> Value {
    guard case .array(var elements) = oldValue else {
      // Null becomes an array; a value without an array remains one.
      guard let new else { return .null }
      return oldValue.isNull && table.hasArrays ? .array([new]) : new
    }
    if let new {
      if elements.indices.contains(element) {
        elements[element] = new
      } else {
        elements.append(new)
      }
    } else {
      elements.remove(at: element)
    }
    return .array(elements)
  }

  /// The new values of the parent's keys.
  private func changes(
    to record: Record, _ values: [(String, Value)], _ array: Value
  ) throws -> Record {
    let parent = Value.record(Record(Array(zip(record.keys, record.values)) + values))
    guard case .record(let new)? = parent.replacing(table.path.steps[...], with: array),
      let head = table.path.steps.first?.key, let changed = new[head]
    else {
      throw SourceError.data(
        .badArgument("the elements of `\(table.path)` cannot be changed; edit the object below"))
    }
    return Record(values.filter { $0.0 != head } + [(head, changed)])
  }
}

extension ObjectKeyPath.Step {
  /// The key of a record; nil for other steps.
  var key: String? { if case .key(let key) = self { key } else { nil } }
}

extension Value {
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
      return .record(Record(Array(zip(record.keys, record.values)) + [(key, new)]))
    case .null where !ObjectKeyPath([step]).isDerived:
      return Value.null.replacing(steps.dropFirst(), with: value).map {
        .record(Record([(key, $0)]))
      }
    default: return nil
    }
  }
}
