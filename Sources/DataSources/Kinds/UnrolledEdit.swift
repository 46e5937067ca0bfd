import DataTables

/// Turns edits of elements into new values of the object that has the array.
struct UnrolledEdit {
  private let table: UnrolledTable
  private let record: Record
  private let old: Value
  private var updates: [(element: Int, values: [KeyValue])] = []
  private var removed: Set<Int> = []

  /// - Throws: ``SourceError``, `badArgument` for an object that cannot be changed.
  init(_ table: UnrolledTable, parent: Value) throws {
    guard case .record(let record) = parent else {
      throw SourceError.data(
        .badArgument("the object below is not a record, so its elements cannot be edited"))
    }
    self.table = table
    self.record = record
    old = table.path.evaluate(on: parent)
  }

  /// - Parameter values: new values of the element or of the object; nil removes the element.
  mutating func add(element: Int, _ values: [KeyValue]?) {
    if let values { updates.append((element, values)) } else { removed.insert(element) }
  }

  /// The new values of the object.
  /// - Throws: ``SourceError``: `unknownKey`; `badArgument` for an element that cannot be changed.
  func values() throws -> [KeyValue] {
    var ofParent: [KeyValue] = []
    var elements = old.elements
    var hasNewElements = false
    for update in updates {
      var ofElement: [KeyValue] = []
      var whole: Value?
      for value in update.values {
        guard let key = value.path.steps.first?.key, let place = table.place(of: key) else {
          let key = value.path.steps.first?.key ?? value.path.description
          throw SourceError.data(.unknownKey(key, known: table.keys))
        }
        switch place {
        case .parent: ofParent.append(value)
        case .element(let key):
          ofElement.append(
            KeyValue(ObjectKeyPath([.key(key)] + value.path.steps.dropFirst()), value.value))
        case .wholeElement: whole = .some(value.value)
        }
      }
      guard whole != nil || !ofElement.isEmpty else { continue }
      hasNewElements = true
      let new = try changed(update.element, of: elements, whole, ofElement)
      if elements.indices.contains(update.element) {
        elements[update.element] = new
      } else {
        elements.append(new)
      }
    }
    for element in removed where !old.elements.indices.contains(element) {
      throw SourceError.data(.badArgument("the object has no element \(element) to remove"))
    }
    elements = elements.indices.filter { !removed.contains($0) }.map { elements[$0] }
    guard hasNewElements || !removed.isEmpty else { return ofParent }
    return ofParent + [try array(newValue(elements), after: ofParent)]
  }

  private func changed(
    _ element: Int, of elements: [Value], _ whole: Value?, _ values: [KeyValue]
  ) throws -> Value {
    if let whole, values.isEmpty { return whole }
    let old: Value = elements.indices.contains(element) ? elements[element] : .null
    switch (old, whole) {
    case (.record, nil): return try old.updating(values)
    case (.null, nil): return try Value.record(Record([])).updating(values)
    default:
      throw SourceError.data(.badArgument("the element is not a record, so it has no keys"))
    }
  }

  private func newValue(_ elements: [Value]) -> Value {
    if case .array = old { return .array(elements) }
    // Null becomes an array; a value without an array remains one.
    guard let first = elements.first else { return .null }
    return old.isNull && table.hasArrays ? .array([first]) : first
  }

  /// The value of the key of the object that leads to the array.
  private func array(_ array: Value, after values: [KeyValue]) throws -> KeyValue {
    let parent = try Value.record(record).updating(values)
    guard case .record(let new)? = parent.replacing(table.path.steps[...], with: array),
      let head = table.path.steps.first?.key, let changed = new[head]
    else {
      throw SourceError.data(
        .badArgument("the elements of `\(table.path)` cannot be changed; edit the object below"))
    }
    return KeyValue(key: head, changed)
  }
}

extension ObjectKeyPath.Step {
  /// The key of a record; nil for other steps.
  var key: String? { if case .key(let key) = self { key } else { nil } }
}
