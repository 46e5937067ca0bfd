/// Groups of distinct values of a column that are equal but written differently.
struct EqualityGroups {
  /// For each code, the first code of an equal value; nil if no two values are equal.
  let ids: [UInt32]?

  /// - Complexity: O(values), plus a sort for texts; no value is hashed if the forms of the values
  ///   show that all differ.
  init(_ values: DistinctValues) throws {
    switch values.storage {
    case .values(let values): self.init(values)
    case .texts(let texts): try self.init(texts)
    }
  }

  init(_ values: [Value]) {
    guard values.contains(where: Self.hasManyForms) else {
      ids = nil
      return
    }
    var first: [Value: UInt32] = [:]
    var ids: [UInt32] = []
    ids.reserveCapacity(values.count)
    for (code, value) in values.enumerated() {
      let next = UInt32(truncatingIfNeeded: code)
      let id = first[value] ?? next
      if id == next { first[value] = next }
      ids.append(id)
    }
    self.ids = ids
  }

  private init(_ texts: TextHeap) throws {
    let order = try texts.sorted(cancellation: Cancellation())
    let nulls = texts.nulls()
    guard !order.repeats.isEmpty || nulls.count > 1 else {
      ids = nil
      return
    }
    var ids = (0..<UInt32(texts.count)).map { $0 }
    for position in order.repeats {
      ids[Int(order.codes[position])] = ids[Int(order.codes[position - 1])]
    }
    if let first = nulls.first { for null in nulls { ids[Int(null)] = first } }
    self.ids = ids
  }

  /// The number of different values, without null.
  func count(_ values: some RandomAccessCollection<Value>) -> Int {
    zip(values, 0...).count { value, code in
      !value.isNull && ids.map { Int($0[code]) == code } ?? true
    }
  }

  private static func hasManyForms(_ value: Value) -> Bool {
    switch value {
    case .null, .bool, .integer, .data: false
    // Below U+0300 no two strings are canonically equivalent.
    case .string(let string): string.utf8.contains { $0 >= 0xCC }
    case .real, .date, .array, .record: true
    }
  }
}
