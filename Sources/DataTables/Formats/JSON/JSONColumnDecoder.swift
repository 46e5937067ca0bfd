internal import CScan

/// Decodes the values of some keys in one pass over the rows.
///
/// Each piece of the rows has dictionaries of its own, which are joined in the order of the rows.
struct JSONColumnDecoder {
  let table: JSONTable
  /// nil stands for the rows themselves.
  let keys: [String?]

  /// Numbers with more distinct values than this become keys of 64 bits.
  static let mostCodedNumbers = 1 << 14

  /// - Parameter anticipated: for each key the parts of its column, where there are such already.
  func decode(
    anticipated: [[JSONColumnPart]?], cancellation: Cancellation
  ) throws -> [KeyColumn] {
    var columns = try anticipated.map { try $0.flatMap(JSONColumnJoin.column) }
    let fresh = keys.indices.filter { anticipated[$0] == nil }
    if !fresh.isEmpty {
      let parts = try parts(
        of: fresh.map { keys[$0] }, keepsDictionary: false, cancellation: cancellation)
      for (place, parts) in zip(fresh, parts) { columns[place] = try JSONColumnJoin.column(of: parts) }
    }
    // What was of one kind in some pieces, and of another in others, is numbered after all.
    let left = columns.indices.filter { columns[$0] == nil }
    if !left.isEmpty {
      let again = try self.parts(
        of: left.map { keys[$0] }, keepsDictionary: true, cancellation: cancellation)
      for (place, parts) in zip(left, again) { columns[place] = try JSONColumnJoin.column(of: parts) }
    }
    return try columns.map { column in
      try cancellation.check()
      guard let column else { throw TableError.changed("the rows are not what they were") }
      return column
    }
  }

  /// For each key the parts of its column.
  private func parts(
    of keys: [String?], keepsDictionary: Bool, cancellation: Cancellation
  ) throws -> [[JSONColumnPart]] {
    let pieces = table.index.groups(Parallel.workers)
    let parts = WorkerSlots<[JSONColumnPart]>(pieces.count)
    try Parallel.forEach(pieces.count) { piece, _ in
      var columns = JSONMemberColumns(
        of: keys, rows: pieces[piece].rows.count, keepsDictionary: keepsDictionary)
      try decode(pieces[piece], keys, into: &columns, cancellation: cancellation)
      parts[piece] = columns.parts
    }
    return keys.indices.map { place in pieces.indices.compactMap { parts[$0]?[place] } }
  }

  private func decode(
    _ piece: JSONIndex.Group, _ keys: [String?], into columns: inout JSONMemberColumns,
    cancellation: Cancellation
  ) throws {
    // Known keys get their numbers in order, so that those wanted are known before the first row.
    let numbering = JSONKeys(table.keys)
    var cursor = table.cursor(over: piece, keys: numbering, cancellation: cancellation)
    if table.hasPlainLines, !keys.contains(nil) {
      cursor.scanner.wantedKeys = keys.compactMap { $0.flatMap { numbering.number(of: $0) } }
    }
    for _ in piece.rows {
      let row = try table.row(from: &cursor)
      columns.take(row, cursor.scanner)
    }
  }
}
