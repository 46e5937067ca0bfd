import Synchronization

/// The rows of several tables as one table. The rows of each part have an order of their own. No
/// object is copied.
///
/// A column joins the distinct values of the columns of the parts. A key that only some parts have
/// is null in the rows of the other parts.
public final class ConcatenatedTable: Table {
  public struct Part: Sendable {
    public let table: any Table
    /// The rows of ``table`` that the part contributes, in their order.
    public let order: RowOrder

    /// - Precondition: the rows of `order` are rows of `table`.
    public init(table: any Table, order: RowOrder) {
      self.table = table
      self.order = order
    }
  }

  public let parts: [Part]
  /// The first row of each part, then the number of rows: `parts + 1` ascending numbers.
  public let offsets: [Int]
  public let keys: [String]
  public let hasOtherRows: Bool
  public let hasUniformRows: Bool
  /// The joined columns, and the errors for keys that no part has. Rows never change, so these keys
  /// remain unknown.
  private let columns = Mutex<[ObjectKeyPath: Result<KeyColumn, TableError>]>([:])

  public init(_ parts: [Part]) {
    self.parts = parts
    offsets = parts.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.order.count) }
    var known: Set<String> = []
    keys = parts.flatMap(\.table.keys).filter { known.insert($0).inserted }
    let count = keys.count
    hasOtherRows = parts.contains { $0.order.count > 0 && $0.table.hasOtherRows }
    hasUniformRows = parts.allSatisfy {
      $0.order.count == 0 || $0.table.keys.count == count && $0.table.hasUniformRows
    }
  }

  public var count: Int { offsets.last ?? 0 }

  /// The part that contains a row, and its row in that part.
  /// - Precondition: `row` is in `0..<count`.
  /// - Complexity: O(log parts).
  public func origin(of row: Int) -> (part: Int, row: Int) {
    var low = 0
    var high = parts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if offsets[middle] <= row { low = middle } else { high = middle }
    }
    return (low, parts[low].order[row - offsets[low]])
  }

  public func objects(at rows: [Int]) throws -> [Value] {
    var objects: [Value] = []
    objects.reserveCapacity(rows.count)
    var open: (part: Int, rows: [Int]) = (0, [])
    // Neighboring rows of one part are read together.
    for row in rows {
      let origin = origin(of: row)
      if origin.part != open.part, !open.rows.isEmpty {
        objects += try parts[open.part].table.objects(at: open.rows)
        open.rows = []
      }
      open.part = origin.part
      open.rows.append(origin.row)
    }
    if !open.rows.isEmpty { objects += try parts[open.part].table.objects(at: open.rows) }
    return objects
  }

  public func object(at row: Int) throws -> Value {
    let origin = origin(of: row)
    return try parts[origin.part].table.object(at: origin.row)
  }

  public func line(of row: Int) throws -> Int? {
    let origin = origin(of: row)
    return try parts[origin.part].table.line(of: origin.row)
  }

  public func release(_ paths: [ObjectKeyPath]) {
    columns.withLock { columns in for path in paths { columns[path] = nil } }
    for part in parts { part.table.release(paths) }
  }

  public func decode(_ paths: [ObjectKeyPath], cancellation: Cancellation) throws {
    let joined = columns.withLock { $0 }
    // Only new columns are decoded, and each table is visited once. Parts may share a table, and a
    // table may be nested in several parts.
    let new = paths.filter { joined[$0] == nil }
    var visited: Set<ObjectIdentifier> = []
    for part in parts where !new.isEmpty && visited.insert(ObjectIdentifier(part.table)).inserted {
      // A part may lack a key. Its other columns are decoded when the columns are joined.
      do {
        try part.table.decode(new, cancellation: cancellation)
      } catch TableError.unknownKey { continue }
    }
    for path in paths { _ = try column(path, cancellation: cancellation) }
  }

  public func decodedColumn(_ path: ObjectKeyPath) -> KeyColumn? {
    try? columns.withLock { $0[path] }?.get()
  }

  public func column(_ path: ObjectKeyPath, cancellation: Cancellation) throws -> KeyColumn {
    if let column = columns.withLock({ $0[path] }) { return try column.get() }
    do {
      let column = try ColumnJoin(of: parts, path: path, cancellation: cancellation).column(count)
      columns.withLock { $0[path] = .success(column) }
      return column
    } catch TableError.unknownKey(let key, let known) {
      let error = TableError.unknownKey(key, known: known)
      columns.withLock { $0[path] = .failure(error) }
      throw error
    }
  }
}

/// Joins the columns of several parts into one.
private struct ColumnJoin {
  typealias Part = ConcatenatedTable.Part

  private let path: ObjectKeyPath
  private let cancellation: Cancellation
  /// nil for a part that does not have the key.
  private let columns: [(part: Part, column: KeyColumn?)]

  /// - Throws: ``TableError/unknownKey(_:known:)`` if no part with rows has the key.
  init(of parts: [Part], path: ObjectKeyPath, cancellation: Cancellation) throws {
    self.path = path
    self.cancellation = cancellation
    var missing: (key: String, known: [String])?
    var isKnown = parts.allSatisfy { $0.order.count == 0 }
    columns = try parts.map { part in
      do {
        let column = try part.table.column(path, cancellation: cancellation)
        if part.order.count > 0 { isKnown = true }
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
    if let texts = joinedTexts {
      return .coded(.natural(texts.count), values: DistinctValues(texts))
    }
    var coder = ValueCoder()
    coder.reserve(rows)
    for (part, column) in columns {
      try cancellation.check()
      switch column {
      case nil: for _ in 0..<part.order.count { coder.append(.null) }
      case .coded(let codes, let values)?:
        // Each code that the rows have is looked up once.
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

  /// The texts of all parts, which are not copied; nil unless each part has one text for each of its
  /// rows, in their order.
  private var joinedTexts: TextHeap? {
    var blocks: [TextBlock] = []
    for (part, column) in columns where part.order.count > 0 {
      guard case .natural = part.order, case .coded(.natural, let values)? = column,
        case .texts(let texts) = values.storage
      else { return nil }
      blocks += texts.blocks
    }
    return blocks.isEmpty ? nil : TextHeap(blocks)
  }

  /// The kind of the numbers of all parts with rows; nil if kinds differ or a part is not numeric.
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
      guard let rows = part.order.list else {
        keys += column.keys
        continue
      }
      for row in rows { keys.append(column.keys[Int(row)]) }
    }
    return keys
  }
}
