import DataTables

extension DatabaseTable {
  /// The column of whole numbers that identifies a row; nil if rows are identified otherwise.
  var numericKey: DatabaseColumn? {
    guard schema.primaryKey.count == 1, schema.rowIdentity.count == 1,
      let column = schema.column(schema.primaryKey[0]), column.kind == .integer
    else { return nil }
    return column
  }

  /// The digest of this state; nil without a ``numericKey``, or if the engine hashes no rows.
  func digest(_ cancellation: Cancellation) async throws -> TableDigest? {
    if let known = knownDigest { return known }
    guard let key = numericKey else { return nil }
    let digest: TableDigest?
    if let read = try await snapshot.digest(of: schema, key: key, cancellation: cancellation) {
      digest = read
    } else {
      digest = try await hashedRows(key, cancellation)
    }
    knownDigest = digest
    return digest
  }

  /// The digest with the hashes that the engine computes.
  private func hashedRows(
    _ key: DatabaseColumn, _ cancellation: Cancellation
  ) async throws -> TableDigest? {
    guard schema.rowIdentity.first?.shown == dialect.name(key.name),
      let hash = dialect.rowHash(of: schema, from: name)
    else { return nil }
    let column = SQL(dialect.name(key.name))
    let statement: SQL =
      "SELECT \(column), \(hash.expression) FROM \(hash.source) ORDER BY \(column)"
    let collected = DigestRows()
    try await snapshot.forEachBatch(of: 10_000, statement, cancellation: cancellation) { batch in
      await collected.add(batch.rows)
    }
    return await collected.digest
  }
}

/// Collects the rows of a digest.
private actor DigestRows {
  private var rows = TableDigest()
  private var isWhole = true

  /// - Returns: whether the rows can be identified by their keys.
  func add(_ batch: [[Value]]) -> Bool {
    for row in batch {
      guard case .integer(let key) = row[0], case .integer(let hash) = row[1] else {
        isWhole = false
        return false
      }
      rows.add(Int64(key), hash: UInt64(bitPattern: Int64(hash)))
    }
    return true
  }

  var digest: TableDigest? { isWhole ? rows : nil }
}
