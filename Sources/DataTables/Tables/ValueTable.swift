import Synchronization

/// Objects in memory.
public final class ValueTable: Table {
  public let rows: [Value]
  public let keys: [String]
  /// The line on which each row starts, from 1; empty if the rows were not read from text.
  private let lines: [Int]
  private let columns = Mutex<[ObjectKeyPath: KeyColumn]>([:])

  /// - Parameters:
  ///   - lines: the line on which each row starts, from 1; empty if the rows were not read from text.
  ///   - keys: the keys of a table without rows.
  public init(_ rows: [Value], lines: [Int] = [], keys: [String] = []) {
    self.rows = rows
    self.lines = lines
    self.keys = rows.isEmpty ? keys : Self.keys(of: rows)
  }

  public var count: Int { rows.count }

  /// - Complexity: O(rows).
  public var hasOtherRows: Bool {
    !rows.allSatisfy { if case .record = $0 { true } else { false } }
  }

  /// - Complexity: O(rows).
  public var hasUniformRows: Bool {
    var last: Record.Shape?
    for row in rows {
      guard case .record(let record) = row else { return false }
      if let last, last.storage === record.shape.storage { continue }
      guard record.count == keys.count else { return false }
      last = record.shape
    }
    return true
  }

  public func objects(at rows: [Int]) -> [Value] { rows.map { self.rows[$0] } }

  public func object(at row: Int) -> Value { rows[row] }

  public func line(of row: Int) -> Int? { row < lines.count ? lines[row] : nil }

  public func column(_ path: ObjectKeyPath, cancellation: Cancellation) throws -> KeyColumn {
    if let column = columns.withLock({ $0[path] }) { return column }
    try ObjectKeyPath.checkKnown(path.steps[...], to: rows)
    var coder = ValueCoder()
    coder.reserve(rows.count)
    for (index, row) in rows.enumerated() {
      if index & 0xFFF == 0 { try cancellation.check() }
      coder.append(path.evaluate(on: row))
    }
    let column = coder.column()
    columns.withLock { $0[path] = column }
    return column
  }

  public func decodedColumn(_ path: ObjectKeyPath) -> KeyColumn? { columns.withLock { $0[path] } }

  private static func keys(of rows: [Value]) -> [String] {
    var keys: [String] = []
    var known: Set<String> = []
    var last: Record.Shape?
    for case .record(let record) in rows {
      // Neighboring records mostly share their shape.
      if let last, last.storage === record.shape.storage { continue }
      last = record.shape
      for key in record.keys where known.insert(key).inserted { keys.append(key) }
    }
    return keys
  }
}
