/// Makes the rows of an unrolled table from parents and their elements.
struct UnrolledRowBuilder {
  private let path: ObjectKeyPath
  private let keys: UnrolledKeys
  private let hasRecords: Bool
  /// The elements of the parent of the latest row.
  private var elements: [Value] = []
  /// The shape of the latest row, and the shapes from which it was made. Neighboring rows mostly
  /// share them.
  private var latest: (parent: Record.Shape, element: Record.Shape?, row: Record.Shape)?

  init(path: ObjectKeyPath, keys: UnrolledKeys, hasRecords: Bool) {
    self.path = path
    self.keys = keys
    self.hasRecords = hasRecords
  }

  /// Begins the rows of a parent.
  mutating func begin(_ parent: Value) { elements = path.evaluate(on: parent).elements }

  /// The row of an element of the parent that was begun last. If the parent is not a record, the row
  /// is the element itself.
  mutating func object(of parent: Value, element index: Int) -> Value {
    let element: Value? = elements.indices.contains(index) ? .some(elements[index]) : .none
    guard case .record(let record) = parent else {
      guard case .record(let own)? = element else { return element ?? .null }
      return .record(Record(pairs(of: .record(own))))
    }
    var values: [Value] = []
    let added = addedValues(of: element)
    values.reserveCapacity(record.count + added.count)
    let arrayKey = path.steps.count == 1 ? path.steps.first?.recordKey : nil
    let position = arrayKey.flatMap { record.shape.position(of: $0) }
    values += record.values.prefix(position ?? record.count)
    values += added
    if let position { values += record.values.dropFirst(position + 1) }
    if path.steps.count > 1, let head = path.steps.first?.recordKey,
      let position = record.shape.position(of: head)
    {
      values[position] = values[position].removing(path.steps.dropFirst())
    }
    return .record(Record(shape: shape(record, element, arrayAt: position), values: values))
  }

  /// The values that an element adds to its parent, in the order of ``pairs(of:)``.
  private func addedValues(of element: Value?) -> [Value] {
    switch element {
    case .record(let record)?: record.values
    case let other?: [other]
    case nil: hasRecords ? [] : [.null]
    }
  }

  private func pairs(of element: Value?) -> [(String, Value)] {
    if case .record(let record)? = element {
      return zip(record.keys, record.values).map { (keys.name(of: $0), $1) }
    }
    guard let name = keys.ofOthers, element != nil || !hasRecords else { return [] }
    return [(name, element ?? .null)]
  }

  private mutating func shape(
    _ parent: Record, _ element: Value?, arrayAt position: Int?
  ) -> Record.Shape {
    var elementShape: Record.Shape?
    if case .record(let record)? = element { elementShape = record.shape }
    if let latest, element != nil, latest.parent.storage === parent.shape.storage,
      latest.element?.storage === elementShape?.storage
    {
      return latest.row
    }
    let added = pairs(of: element).map(\.0)
    let all = parent.keys
    let row = Record.Shape(
      all.prefix(position ?? all.count) + added + (position.map { all.dropFirst($0 + 1) } ?? []))
    if element != nil { latest = (parent.shape, elementShape, row) }
    return row
  }
}

extension Value {
  /// The value without the key at the end of a path of keys of nested records; unchanged if the
  /// path leads through anything else.
  fileprivate func removing(_ steps: ArraySlice<ObjectKeyPath.Step>) -> Value {
    guard case .record(let record) = self, case .key(let key)? = steps.first,
      let position = record.shape.position(of: key)
    else { return self }
    var pairs = Array(zip(record.keys, record.values))
    if steps.count == 1 {
      pairs.remove(at: position)
    } else {
      pairs[position].1 = pairs[position].1.removing(steps.dropFirst())
    }
    return .record(Record(pairs))
  }
}
