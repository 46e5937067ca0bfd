import Synchronization

/// The rows of several tables as one, each in an order of its own; no object is copied.
///
/// Columns are joined from those of the parts, distinct value by distinct value. A key that only
/// some of the parts know is null in the rows of the others.
public final class ConcatenatedTable: Table {
  public struct Part: Sendable {
    public let table: any Table
    /// The rows of the table that are rows here, in their order.
    public let order: RowOrder

    /// - Precondition: the rows of `order` are rows of `table`.
    public init(table: any Table, order: RowOrder) {
      self.table = table
      self.order = order
    }
  }

  public let parts: [Part]
  /// The first row of each part, and the number of rows: `parts + 1` ascending numbers.
  public let offsets: [Int]
  public let keys: [String]
  public let hasOtherRows: Bool
  /// What was joined, and the keys that no part knows: rows never change, so they stay unknown.
  private let columns = Mutex<[ObjectKeyPath: Result<KeyColumn, TableError>]>([:])

  public init(_ parts: [Part]) {
    self.parts = parts
    offsets = parts.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.order.count) }
    var known: Set<String> = []
    keys = parts.flatMap(\.table.keys).filter { known.insert($0).inserted }
    hasOtherRows = parts.contains { $0.order.count > 0 && $0.table.hasOtherRows }
  }

  public var count: Int { offsets.last ?? 0 }

  /// The part that a row comes from, and its row there.
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
    // Neighbours of one part are read together.
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

  public func decode(_ paths: [ObjectKeyPath], cancellation: Cancellation) throws {
    let joined = columns.withLock { $0 }
    // Without those that were joined and with each table once: tables of tables that share parts
    // would be visited once a way.
    let new = paths.filter { joined[$0] == nil }
    var visited: Set<ObjectIdentifier> = []
    for part in parts where !new.isEmpty && visited.insert(ObjectIdentifier(part.table)).inserted {
      // A part may lack a key: what it has is decoded when the columns are joined.
      do {
        try part.table.decode(new, cancellation: cancellation)
      } catch TableError.unknownKey { continue }
    }
    for path in paths { _ = try column(path, cancellation: cancellation) }
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
