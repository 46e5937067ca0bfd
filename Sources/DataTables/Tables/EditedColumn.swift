/// Makes a column of an edited table from the column of the base, or from that of an earlier table with
/// fewer edits, and the values of the edits.
struct EditedColumn {
  private let table: EditedTable
  private let path: ObjectKeyPath
  private let earlier: Earlier?

  /// The column of a table with the first ``added`` objects of the edits.
  struct Earlier {
    let column: KeyColumn
    let added: Int
  }

  /// - Parameter earlier: a column of the same key path and of a table with the same row numbers.
  init(_ table: EditedTable, _ path: ObjectKeyPath, extending earlier: Earlier? = nil) {
    self.table = table
    self.path = path
    self.earlier = earlier
  }

  /// - Throws: ``TableError/unknownKey(_:known:)`` if neither the base nor an edit has the key.
  /// - Complexity: O(rows), plus the evaluation of the key path for the edits that no earlier column
  ///   has. Objects of the base are created only if the base column is numeric and a value of an edit
  ///   has another type or cannot be encoded as a key.
  func column(cancellation: Cancellation) throws -> KeyColumn {
    let known = try earlier?.column ?? baseColumn(cancellation)
    let values = table.added[(earlier?.added ?? 0)...].map { path.evaluate(on: $0) }
    guard let known else {
      return column(of: [UInt32](repeating: 0, count: table.base.count), [.null], and: values)
    }
    if values.isEmpty { return known }
    switch known {
    case .coded(.natural(let count), let all):
      if let texts = try texts(.natural(count), of: all, and: values) { return texts }
      // Each row has its own value here, and values may repeat. As codes, they must not.
      var coder = ValueCoder()
      let codes = all.map { coder.code(of: $0) }
      return column(of: codes, coder.values, and: values)
    case .coded(let codes, let distinct):
      if let texts = try texts(codes, of: distinct, and: values) { return texts }
      var distinct = Array(distinct)
      let added = Self.codes(of: values, in: &distinct)
      return .coded(codes.appending(added), values: DistinctValues(distinct))
    case .keyed(let column):
      guard let keys = column.keys(of: values) else {
        return try table.columnOfObjects(path, cancellation: cancellation)
      }
      return .keyed(NumericColumn(kind: column.kind, keys: Array(column.keys) + keys))
    }
  }

  /// The texts of the base, which are not copied, and those of the edits; nil if a value is not a text
  /// or is too long for a heap. Where rows share codes, a text that the base has keeps its code.
  private func texts(
    _ codes: RowCodes, of distinct: DistinctValues, and values: [Value]
  ) throws -> KeyColumn? {
    guard case .texts(let texts) = distinct.storage, values.allSatisfy(\.fitsTexts) else {
      return nil
    }
    if case .natural = codes {
      let joined = try texts.appending(values)
      return .coded(.natural(joined.count), values: DistinctValues(joined))
    }
    var known = texts.numbers(of: values.map(\.text))
    var new: [Value] = []
    let added = values.map { value in
      if let code = known[value.text] { return code }
      let code = UInt32(truncatingIfNeeded: texts.count + new.count)
      known[value.text] = code
      new.append(value)
      return code
    }
    return .coded(codes.appending(added), values: DistinctValues(try texts.appending(new)))
  }

  /// The column of the base; nil if only edits have the key.
  private func baseColumn(_ cancellation: Cancellation) throws -> KeyColumn? {
    do {
      let column = try table.base.column(path, cancellation: cancellation)
      // A base without rows accepts any key, so its header or an edit must have the key.
      if table.base.count == 0, table.order.count > 0, !isInHeader {
        try ObjectKeyPath.checkKnown(path.steps[...], to: Array(table.added))
      }
      return column
    } catch TableError.unknownKey(let key, let known) {
      // Without added objects, no row can have the key.
      if table.added.isEmpty { throw TableError.unknownKey(key, known: known) }
      try ObjectKeyPath.checkKnown(path.steps[...], to: Array(table.added))
      return nil
    }
  }

  /// Whether the path starts with a key of the base. A base without rows may have keys.
  private var isInHeader: Bool {
    guard case .key(let key)? = path.steps.first else { return false }
    return table.base.keys.contains(key)
  }

  private func column(of codes: [UInt32], _ distinct: [Value], and values: [Value]) -> KeyColumn {
    var distinct = distinct
    let all = codes + Self.codes(of: values, in: &distinct)
    return .coded(RowCodes(all, distinct: distinct.count), values: DistinctValues(distinct))
  }

  /// The codes of values. A value that is not written like any of `distinct` is appended to
  /// `distinct`.
  private static func codes(of values: [Value], in distinct: inout [Value]) -> [UInt32] {
    if values.isEmpty { return [] }
    // Only the few new values are put into sets and dictionaries, not the many old ones.
    let wanted = Set(values)
    var known: [Value: [UInt32]] = [:]
    for (code, value) in distinct.enumerated() where wanted.contains(value) {
      known[value, default: []].append(UInt32(truncatingIfNeeded: code))
    }
    return values.map { value in
      if let code = known[value]?.first(where: { distinct[Int($0)].isWritten(like: value) }) {
        return code
      }
      let code = UInt32(truncatingIfNeeded: distinct.count)
      distinct.append(value)
      known[value, default: []].append(code)
      return code
    }
  }
}

extension TextHeap {
  /// The texts, which are not copied, then strings and nulls.
  /// - Throws: ``TableError/io(_:)`` if memory runs out.
  fileprivate func appending(_ added: [Value]) throws -> TextHeap {
    TextHeap(blocks + (try TextHeap(strings: added)).blocks)
  }

  /// For each of some texts that the heap has, the number of the first text with the same bytes; nil is
  /// null.
  /// - Complexity: O(bytes) expected.
  fileprivate func numbers(of wanted: [[UInt8]?]) -> [[UInt8]?: UInt32] {
    // Only the few wanted texts are put into a set, not the many of the heap.
    let hashes = Set(wanted.map { text in text?.withUnsafeBytes { Hash.bytes($0) } })
    var numbers: [[UInt8]?: UInt32] = [:]
    for (block, start) in zip(blocks, starts) {
      for index in 0..<block.count {
        let text = block.isNull(index) ? nil : block.text(index)
        guard hashes.contains(text.map { Hash.bytes($0) }) else { continue }
        let bytes = text.map { Array($0) }
        numbers[bytes] = numbers[bytes] ?? UInt32(truncatingIfNeeded: start + index)
      }
    }
    return numbers
  }
}

extension Value {
  /// Whether a heap can have the value as a text.
  fileprivate var fitsTexts: Bool {
    switch self {
    case .null: true
    case .string(let string): string.utf8.count < 1 << 30
    default: false
    }
  }

  /// The bytes of a string; nil for null.
  fileprivate var text: [UInt8]? {
    if case .string(let string) = self { Array(string.utf8) } else { nil }
  }
}

extension NumericColumn {
  /// The keys of values; nil if a value has no key.
  fileprivate func keys(of values: [Value]) -> [UInt64]? {
    var keys: [UInt64] = []
    for value in values {
      guard let key = key(storing: value) else { return nil }
      keys.append(key)
    }
    return keys
  }

  /// The key of a value that is added to the column; nil if it has another type or cannot be encoded
  /// as a key.
  func key(storing value: Value) -> UInt64? {
    switch (kind, value) {
    case (_, .null): Self.null
    case (.integer, .integer(let integer)): Self.key(integer)
    case (.real, .real(let real)): Self.key(real)
    case (.real, .integer(let integer)) where Int(exactly: Double(integer)) == integer:
      Self.key(Double(integer))
    case (.date, .date(let date)): date.moment.ticks.flatMap(Self.key)
    default: nil
    }
  }
}

extension RowCodes {
  /// The codes of these rows, then those of other rows.
  fileprivate func appending(_ added: [UInt32]) -> RowCodes {
    switch self {
    case .narrow(let codes) where added.allSatisfy { $0 <= UInt16.max }:
      .narrow(codes + added.map { UInt16(truncatingIfNeeded: $0) })
    case .narrow(let codes): .wide(codes.map { UInt32($0) } + added)
    case .wide(let codes): .wide(codes + added)
    case .natural(let count):
      .wide((0..<count).map { UInt32(truncatingIfNeeded: $0) } + added)
    }
  }
}
