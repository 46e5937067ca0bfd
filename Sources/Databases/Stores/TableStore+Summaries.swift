public import DataSources
public import DataTables

// Values over many rows.
extension TableStore {
  /// The values of more rows are not kept together: the rows are read in batches.
  private static let maxColumn = 10_000_000

  /// Reads only the values of the path, with the sections of their rows.
  public func aggregates(
    of kind: CollectionOperator, _ steps: [ObjectKeyPath.Step], asOne: Bool,
    _ context: RequestContext
  ) async throws -> SectionAggregates {
    if kind == .count {
      let counts = (0..<numberOfSections).map { numberOfObjects(in: $0) }
      return SectionAggregates(
        values: (asOne ? [counts.reduce(0, +)] : counts).map { .integer($0) })
    }
    let path = ObjectKeyPath(steps)
    if numberOfObjects > 0 { try table.check([path]) }
    do {
      try await table.learn([path], cancellation: context.cancellation)
      guard case .key(let key)? = steps.first, numberOfObjects > 0 else {
        return try await LocalStore(copying: self, context)
          .aggregates(of: kind, steps, asOne: asOne, context)
      }
      guard numberOfObjects <= Self.maxColumn else {
        return try await reducedAggregates(of: kind, steps, asOne: asOne, context)
      }
      let column = try table.expression(of: ObjectKeyPath(key: key))
      let values = try await columns([column.sql], named: [key], context)
      return try values.aggregates(of: kind, steps, asOne: asOne, context)
    } catch {
      throw SourceError(error)
    }
  }

  public func summary(of key: ObjectKeyPath, _ context: RequestContext) async throws -> KeySummary {
    try table.check([key])
    do {
      try await table.learn([key], cancellation: context.cancellation)
      let column = try table.expression(of: key)
      if layout.isWhole, !selection.isWindow, column.kind.hasExtremes,
        (try? column.checkEquality()) != nil
      {
        return try await summary(of: column, context.cancellation)
      }
      guard case .key(let name)? = key.steps.first else {
        return try await LocalStore(copying: self, context).summary(of: key, context)
      }
      guard numberOfObjects <= Self.maxColumn else {
        return try await reducedSummary(of: key, context)
      }
      let head = try table.expression(of: ObjectKeyPath(key: name))
      return try await columns([head.sql], named: [name], context)
        .summary(of: key, context)
    } catch {
      throw SourceError(error)
    }
  }

  private func summary(
    of column: ColumnExpression, _ cancellation: Cancellation
  ) async throws -> KeySummary {
    let rows = try await table.rows(
      """
      SELECT count(*), count(\(column.sql)), count(DISTINCT \(column.sql)), min(\(column.sql)), \
      max(\(column.sql))\(selection.rows())
      """, journal, cancellation)
    let row = rows.first ?? [0, 0, 0, .null, .null]
    let nulls = row.count(0) - row.count(1)
    // ClickHouse returns zeros for no rows.
    guard row.count(1) > 0 else {
      return KeySummary(nulls: nulls, distinct: 0, least: nil, greatest: nil)
    }
    return KeySummary(
      nulls: nulls, distinct: row.count(2),
      least: try await first(row[3], of: column, cancellation),
      greatest: try await first(row[4], of: column, cancellation))
  }

  /// The first of the values that equal a value of a column, in its form.
  private func first(
    _ value: Value, of column: ColumnExpression, _ cancellation: Cancellation
  ) async throws -> Value {
    var value = value
    if column.facts.variants == .all || column.facts.variants == .zeros && value == 0 {
      let condition: SQL = "\(column.sql) = \(column.operand(own: value))"
      let rows = try await table.rows(
        """
        SELECT \(column.sql)\(selection.rows(where: [condition])) \
        ORDER BY \(selection.order.clause(table.dialect)) \(table.dialect.limit(1, offset: 0))
        """, journal, cancellation)
      value = rows.first?.first ?? value
    }
    // An expression has no declared type, so that dates and truth values come without theirs.
    return value.typed(as: column.kind)
  }

  public func types(of key: ObjectKeyPath, _ context: RequestContext) async throws -> [ValueType] {
    try table.check([key])
    do {
      try await table.learn([key], cancellation: context.cancellation)
      return try table.expression(of: key).facts.types?.sorted() ?? []
    } catch {
      throw SourceError(error)
    }
  }

  /// The declared type, and what the table declares about the column.
  public func report(on key: String, _ context: RequestContext) async throws -> ColumnReport {
    guard let column = table.schema.column(key) else {
      throw TableError.unknownKey(key, known: keys)
    }
    var evidence: [String] = []
    if table.schema.primaryKey.contains(key) { evidence.append("primary key") }
    if !column.isNullable { evidence.append("not null") }
    var report = ColumnReport(
      key: key, type: column.kind.columnType, isExact: true,
      evidence: evidence.isEmpty ? nil : evidence.joined(separator: ", "))
    report.declaredType = column.declaredType
    return report
  }

  public func inputPositions(cancellation: Cancellation) async throws -> [[Int]] {
    guard let input else {
      var start = 0
      return (0..<layout.count).map { section in
        defer { start += layout.numberOfObjects(in: section) }
        return Array(start..<start + layout.numberOfObjects(in: section))
      }
    }
    do {
      let names = selection.identity.indices.map { "\($0)" }
      let before = TableStore(
        table, input, .whole(title: "", count: 0), journal: journal)
      let old = try await before.rowKeys(named: names, cancellation)
      let new = try await columns(
        selection.identity.map(\.sql), named: names,
        RequestContext(cancellation: cancellation))
      // Rows that are equal in all columns take their positions in turn.
      var positions: [Value: [Int]] = [:]
      for (position, key) in old.enumerated().reversed() {
        positions[key, default: []].append(position)
      }
      return try (0..<layout.count).map { section in
        try new.objects(in: section, rows: 0..<new.numberOfObjects(in: section))
          .map { positions[$0]?.popLast() ?? -1 }
      }
    } catch {
      throw SourceError(error)
    }
  }

  /// The identity of all rows, in their order.
  private func rowKeys(named names: [String], _ cancellation: Cancellation) async throws -> [Value]
  {
    let list = selection.identity.map(\.sql).joined(separator: ", ")
    let window =
      selection.isWindow
      ? " \(table.dialect.limit(selection.limit, offset: selection.offset))" : SQL()
    let shape = Record.Shape(names)
    return try await table.rows(
      """
      SELECT \(list)\(selection.rows()) ORDER BY \(selection.order.clause(table.dialect))\(window)
      """, journal, cancellation
    ).map { .record(Record(shape: shape, values: $0)) }
  }
}

extension SectionLayout {
  fileprivate var isWhole: Bool { if case .whole = self { true } else { false } }
}

extension DatabaseColumn.Kind {
  /// Whether every engine has `min` and `max` for the values, and compares them as the shell does.
  fileprivate var hasExtremes: Bool {
    switch self {
    case .integer, .real, .decimal, .text, .date, .dateTime, .instant: true
    case .bool, .data, .json, .other, .any: false
    }
  }

  fileprivate var columnType: ColumnType {
    switch self {
    case .bool: .bool
    case .integer: .integer
    case .real, .decimal: .real
    case .text: .string
    case .date, .dateTime, .instant: .date
    case .data, .json, .other, .any: .value
    }
  }
}
