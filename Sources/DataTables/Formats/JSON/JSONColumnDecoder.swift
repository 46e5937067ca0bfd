internal import CScan

/// Decodes the values of some keys in one pass over the rows.
///
/// Each piece of the rows has dictionaries of its own, which are joined in the order of the rows.
struct JSONColumnDecoder {
  let table: JSONTable
  /// nil stands for the rows themselves.
  let keys: [ObjectKeyPath.Step?]

  /// Numbers with more distinct values than this become keys of 64 bits.
  static let mostCodedNumbers = 1 << 14

  func decode(cancellation: Cancellation) throws -> [KeyColumn] {
    let parts = try parts(of: keys, keepsDictionary: false, cancellation: cancellation)
    var columns = parts.map(JSONColumnJoin.column)
    // What was of one kind in some pieces, and of another in others, is numbered after all.
    let left = columns.indices.filter { columns[$0] == nil }
    if !left.isEmpty {
      let again = try self.parts(
        of: left.map { keys[$0] }, keepsDictionary: true, cancellation: cancellation)
      for (place, parts) in zip(left, again) { columns[place] = JSONColumnJoin.column(of: parts) }
    }
    return try columns.map { column in
      try cancellation.check()
      guard let column else { throw TableError.changed("the rows are not what they were") }
      return column
    }
  }

  /// For each key the parts of its column.
  private func parts(
    of keys: [ObjectKeyPath.Step?], keepsDictionary: Bool, cancellation: Cancellation
  ) throws -> [[JSONColumnPart]] {
    let pieces = table.index.groups(Parallel.workers)
    let parts = WorkerSlots<[JSONColumnPart]>(pieces.count)
    try Parallel.forEach(pieces.count) { piece, _ in
      let rows = pieces[piece].rows.count
      var own = keys.map { _ in JSONColumnPart(rows: rows, keepsDictionary: keepsDictionary) }
      try decode(pieces[piece], keys, into: &own, cancellation: cancellation)
      parts[piece] = own
    }
    return keys.indices.map { place in pieces.indices.compactMap { parts[$0]?[place] } }
  }

  private func decode(
    _ piece: JSONIndex.Group, _ keys: [ObjectKeyPath.Step?], into parts: inout [JSONColumnPart],
    cancellation: Cancellation
  ) throws {
    // Known keys get their numbers in order, so that those wanted are known before the first row.
    let numbering = JSONKeys(table.keys)
    let wanted = keys.map { step -> Int? in
      guard case .key(let key) = step else { return nil }
      return numbering.number(of: key)
    }
    var cursor = table.cursor(over: piece, keys: numbering, cancellation: cancellation)
    if table.hasPlainLines, !wanted.contains(nil) {
      cursor.scanner.wantedKeys = wanted.compactMap { $0 }
    }
    for _ in piece.rows {
      let row = try table.row(from: &cursor)
      for (place, key) in wanted.enumerated() {
        // The window is padded, as the dictionary asks for.
        parts[place].append(key.map { cursor.scanner.value(of: $0, in: row) } ?? row.bytes)
      }
    }
  }
}

extension JSONScanner {
  func bytes(of member: Member, in row: JSONCursor.Row) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      rebasing: row.bytes[row.place(of: member.start)..<row.place(of: member.end)])
  }

  /// The value of a key in the row that was scanned last; nil when it has none.
  func value(of key: Int, in row: JSONCursor.Row) -> UnsafeRawBufferPointer? {
    let members = members
    var place = members.count - 1
    // From behind, as of keys that come twice the last counts.
    while place >= 0 {
      if members[place].key == key { return bytes(of: members[place], in: row) }
      place -= 1
    }
    return nil
  }
}
