/// One column made of those of several parts.
struct ColumnJoin {
  typealias Part = ConcatenatedTable.Part

  private let path: ObjectKeyPath
  private let cancellation: Cancellation
  /// nil for a part that does not know the key.
  private let columns: [(part: Part, column: KeyColumn?)]

  /// - Throws: ``TableError/unknownKey(_:known:)`` when no part with rows knows the key.
  init(of parts: [Part], path: ObjectKeyPath, cancellation: Cancellation) throws {
    self.path = path
    self.cancellation = cancellation
    var missing: (key: String, known: [String])?
    var isKnown = parts.allSatisfy { $0.table.count == 0 }
    columns = try parts.map { part in
      do {
        let column = try part.table.column(path, cancellation: cancellation)
        if part.table.count > 0 { isKnown = true }
        return (part, column)
      } catch TableError.unknownKey(let key, let known) {
        let others = missing?.known ?? []
        missing = (missing?.key ?? key, others + known.filter { !others.contains($0) })
        return (part, nil)
      }
    }
    if let missing, !isKnown {
      throw TableError.unknownKey(missing.key, known: missing.known)
    }
  }

  func column(_ rows: Int) throws -> KeyColumn {
    if let kind = sharedKind { return .keyed(NumericColumn(kind: kind, keys: try keys(rows))) }
    var coder = ValueCoder()
    coder.reserve(rows)
    for (part, column) in columns {
      try cancellation.check()
      switch column {
      case nil: for _ in 0..<part.order.count { coder.append(.null) }
      case .coded(let codes, let values)?:
        // Only what the rows have is looked up, and once.
        var mapped = [UInt32?](repeating: nil, count: values.count)
        for position in 0..<part.order.count {
          if position & 0xFFF == 0 { try cancellation.check() }
          let code = codes[part.order[position]]
          let new = mapped[code] ?? coder.code(of: values[code])
          mapped[code] = new
          coder.append(code: new)
        }
      case .keyed(let column)?:
        let rows = (0..<part.order.count).map { part.order[$0] }
        let values = try part.table.values(
          of: path, column: column, at: rows, cancellation: cancellation)
        for value in values { coder.append(value) }
      }
    }
    return coder.column()
  }

  /// The kind of the numbers of all parts with rows; nil when they differ or some are no numbers.
  private var sharedKind: NumericColumn.Kind? {
    var shared: NumericColumn.Kind?
    for (part, column) in columns where part.order.count > 0 {
      guard case .keyed(let column)? = column, shared == nil || shared == column.kind else {
        return nil
      }
      shared = column.kind
    }
    return shared
  }

  private func keys(_ rows: Int) throws -> [UInt64] {
    var keys: [UInt64] = []
    keys.reserveCapacity(rows)
    for (part, column) in columns {
      guard case .keyed(let column)? = column else { continue }
      try cancellation.check()
      switch part.order {
      case .natural: keys += column.keys
      case .rows(let rows): for row in rows { keys.append(column.keys[Int(row)]) }
      }
    }
    return keys
  }
}
