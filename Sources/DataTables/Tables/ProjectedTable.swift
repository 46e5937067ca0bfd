import Synchronization

/// Some values of the objects of another table, as records with keys of their own. Nothing is
/// copied: a column is a column of the other table.
public final class ProjectedTable: DerivedTable {
  /// A key of the records and the path of its values in the objects of the other table.
  public struct Column: Hashable, Sendable {
    public let key: String
    public let path: ObjectKeyPath

    public init(key: String, path: ObjectKeyPath) {
      self.key = key
      self.path = path
    }
  }

  public let base: any Table
  public let columns: [Column]
  private let shape: Record.Shape
  private let derived = Mutex<[ObjectKeyPath: KeyColumn]>([:])

  /// - Precondition: the keys of `columns` differ.
  public init(_ base: any Table, _ columns: [Column]) {
    self.base = base
    self.columns = columns
    shape = Record.Shape(columns.map(\.key))
  }

  public var count: Int { base.count }
  public var keys: [String] { shape.keys }
  /// An object that lacks a value has a null, so every record has all keys.
  public var hasUniformRows: Bool { true }

  public func baseRow(of row: Int) -> Int { row }

  public func objects(at rows: [Int]) throws -> [Value] {
    try base.objects(at: rows).map { object in
      .record(Record(shape: shape, values: columns.map { $0.path.evaluate(on: object) }))
    }
  }

  public func line(of row: Int) throws -> Int? { try base.line(of: row) }

  public func column(_ path: ObjectKeyPath, cancellation: Cancellation) throws -> KeyColumn {
    guard !path.steps.isEmpty else {
      return try columnOfObjects(path, cancellation: cancellation)
    }
    guard let column = column(of: path) else {
      guard count > 0 else { return .empty }
      throw TableError.unknownKey(ObjectKeyPath([path.steps[0]]).description, known: keys)
    }
    if let plain = column.path(appending: path) {
      return try base.column(plain, cancellation: cancellation)
    }
    if let known = derived.withLock({ $0[path] }) { return known }
    let values = try base.column(column.path, cancellation: cancellation)
    let result = try values.deriving(path.steps.dropFirst(), cancellation: cancellation)
    derived.withLock { $0[path] = result }
    return result
  }

  public func decode(_ paths: [ObjectKeyPath], cancellation: Cancellation) throws {
    try base.decode(paths.compactMap(basePath), cancellation: cancellation)
    for path in paths { _ = try column(path, cancellation: cancellation) }
  }

  public func release(_ paths: [ObjectKeyPath]) {
    derived.withLock { derived in for path in paths { derived[path] = nil } }
    base.release(paths.compactMap(basePath))
  }

  public func report(on key: String, cancellation: Cancellation) throws -> ColumnReport {
    let path = ObjectKeyPath(key: key)
    if let column = column(of: path), column.path.steps.count == 1,
      case .key(let baseKey)? = column.path.steps.first
    {
      var report = try base.report(on: baseKey, cancellation: cancellation)
      report.key = key
      return report
    }
    let column = try column(path, cancellation: cancellation)
    return ColumnReport(key: key, type: column.type, isExact: true)
  }

  private func column(of path: ObjectKeyPath) -> Column? {
    guard let key = path.steps.first?.recordKey, let position = shape.position(of: key) else {
      return nil
    }
    return columns[position]
  }

  private func basePath(of path: ObjectKeyPath) -> ObjectKeyPath? {
    column(of: path).map { $0.path(appending: path) ?? $0.path }
  }
}

extension ProjectedTable.Column {
  /// The path in the objects of the other table of a path that begins with ``key``; nil if the
  /// other table has only the column of ``path``. Steps after an operator apply to the elements,
  /// not to the result of the operator.
  fileprivate func path(appending path: ObjectKeyPath) -> ObjectKeyPath? {
    if path.steps.count == 1 { return self.path }
    return self.path.hasOperator
      ? nil : ObjectKeyPath(self.path.steps + path.steps.dropFirst())
  }
}

extension ObjectKeyPath {
  package var hasOperator: Bool {
    steps.contains { if case .collection = $0 { true } else { false } }
  }
}

extension ObjectKeyPath.Step {
  /// The key that the step reads in a record; nil for indexes.
  var recordKey: String? {
    switch self {
    case .key(let key): key
    case .collection(let kind): kind.rawValue
    case .index, .range: nil
    }
  }
}
